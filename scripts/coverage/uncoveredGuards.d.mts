export interface UncoveredGuard {
  readonly line: number;
  readonly kind: 'catch' | 'return' | 'throw' | 'continue' | 'break';
  /** The source from the condition to the end of the guarded statement, on one line. */
  readonly source: string;
  /** The text after `// Untested:`. */
  readonly reason: string | undefined;
}

export function uncoveredGuards(file: string, text: string, covered: Uint8Array): UncoveredGuard[];
export function hasCode(file: string, text: string): boolean;
