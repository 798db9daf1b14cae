/**
 * The action that resolves the problem of an error. It is data, because only the extension can show
 * it as a button.
 */
export type Remedy =
  | { readonly kind: 'trustWorkspace' | 'openTranscript' }
  | {
      readonly kind: 'resumeRecording' | 'discardBranch';
      readonly sessionId: string;
    }
  | {
      readonly kind: 'stopSession';
      readonly sessionId: string;
      /** What continues once the session has ended: a command that asks before it acts. */
      readonly next?: { readonly kind: 'discardBranch'; readonly sessionId: string };
    };

/**
 * An error whose message is written for the user and is shown as it is. All other errors are bugs:
 * they are logged with their stack and shown as "… failed, see log".
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** Programs and tests check the code, such as `session-not-found`, so it never changes. */
  readonly code: string;
  /**
   * Required if the message tells the user to do something first; it becomes the message's button.
   */
  readonly remedy: Remedy | undefined;

  constructor(code: string, message: string, options?: { cause?: unknown; remedy?: Remedy }) {
    super(message, options);
    this.code = code;
    this.remedy = options?.remedy;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a `UserError` or of a failed system call, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether an error code means that there is no file, rather than that it can't be accessed. */
export function isGoneCode(code: string): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}
