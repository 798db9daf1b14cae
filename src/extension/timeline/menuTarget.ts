/** The place in a page where the user opened a context menu. */
export interface MenuTarget {
  readonly recording: string;
  /** The clicked moment; null for the player's position. */
  readonly momentId: string | null;
}

/** Checks the argument of a menu's command: a page wrote it. */
export function asMenuTarget(argument: unknown): MenuTarget | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { recording, momentId } = argument as Record<string, unknown>;
  if (typeof recording !== 'string') return undefined;
  return { recording, momentId: typeof momentId === 'string' ? momentId : null };
}
