/** How a provider knows a session's snapshot; found again by it after a crash. */
export function snapshotName(sessionId: string, id: bigint): string {
  return `${sessionId}-${id}`;
}

/** The reference that was made under a name: every provider has the name as a part of it. */
export function refNamed(refs: readonly string[], name: string): string | undefined {
  return refs.find((ref) => {
    const at = ref.indexOf(name);
    if (at < 0) return false;
    const isPart = (character: string | undefined) =>
      character !== undefined && /[A-Za-z0-9_-]/.test(character);
    return !isPart(ref[at - 1]) && !isPart(ref[at + name.length]);
  });
}
