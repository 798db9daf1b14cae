export interface UncoveredGuard {
  readonly line: number;
  readonly kind: 'catch' | 'return' | 'throw' | 'continue' | 'break';
  /** From the condition to the end of what it guards, on one line. */
  readonly source: string;
  /** What `// Untested: …` says. */
  readonly reason: string | undefined;
}

export function uncoveredGuards(file: string, text: string, covered: Uint8Array): UncoveredGuard[];
export function hasCode(file: string, text: string): boolean;
