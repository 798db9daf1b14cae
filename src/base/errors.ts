/**
 * A failure whose message is written for the person using the product and may be shown as it is.
 * Anything else that is thrown is a bug: it is logged with its stack and shown as "… failed, see log".
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** Stable, for programs and tests, e.g. `session-not-found`. */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
