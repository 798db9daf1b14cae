/** The first moment of every session is its start. */
export const FIRST_ID = 1n;
export const FIRST_LABEL = 'Session start';

/** The name under which the provider stores a session's snapshot; used to find it after a crash. */
export function snapshotName(sessionId: string, id: bigint): string {
  return `${sessionId}-${id}`;
}

/** Name of the pre-start snapshot; unnumbered, since numbers identify moments. */
export function preStartName(sessionId: string): string {
  return `${sessionId}-ahead`;
}

/**
 * Finds the reference of the snapshot with a name: every provider puts the name into its
 * references. The text before the name may end in `-` (ZFS). The text after it must not continue
 * the name, so that snapshot 12 is not found as snapshot 1.
 */
export function refNamed(refs: readonly string[], name: string): string | undefined {
  return refs.find((ref) => {
    const at = ref.indexOf(name);
    if (at < 0) return false;
    return !/\w/.test(ref[at - 1] ?? '') && !/[\w-]/.test(ref[at + name.length] ?? '');
  });
}
