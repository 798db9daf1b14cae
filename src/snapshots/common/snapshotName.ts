/** Of the first moment of every session, which is its start. */
export const FIRST_ID = 1n;
export const FIRST_LABEL = 'Session start';

/** How a provider knows a session's snapshot; found again by it after a crash. */
export function snapshotName(sessionId: string, id: bigint): string {
  return `${sessionId}-${id}`;
}

/** How it knows what was kept ahead of a session's start. No number: each of those means a moment. */
export function preStartName(sessionId: string): string {
  return `${sessionId}-ahead`;
}

/**
 * The reference that was made under a name: every provider has the name as a part of it. What comes before it may end in `-`, as
 * the names of ZFS snapshots do; what comes after it may not go on, for 12 is another number than 1.
 */
export function refNamed(refs: readonly string[], name: string): string | undefined {
  return refs.find((ref) => {
    const at = ref.indexOf(name);
    if (at < 0) return false;
    return !/\w/.test(ref[at - 1] ?? '') && !/[\w-]/.test(ref[at + name.length] ?? '');
  });
}
