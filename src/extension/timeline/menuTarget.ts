/** What was clicked when the user opened a context menu. */
export interface MenuTarget {
  readonly recording: string;
  /** Null for the player's position. */
  readonly momentId: string | null;
}

/** Checks the argument of a menu's command, which a page wrote. */
export function asMenuTarget(argument: unknown): MenuTarget | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { recording, momentId } = argument as Record<string, unknown>;
  if (typeof recording !== 'string') return undefined;
  return { recording, momentId: typeof momentId === 'string' ? momentId : null };
}
