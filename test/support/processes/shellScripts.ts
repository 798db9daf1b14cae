/** Shell command that waits until a file exists, which the test writes. */
export function untilFile(file: string): string {
  return `until [ -e '${file}' ]; do sleep 0.02; done`;
}

/** Shell command that waits until this many snapshots of a kind have been taken. */
export function untilKept(trigger: string, count = 1): string {
  const lines = '"$AH_SESSION_DIR/session.snapshots.jsonl"';
  const kept = `grep -c '"trigger":"${trigger}".*"fs_snapshot":true' ${lines}`;
  return `until [ "$(${kept})" -ge ${count} ]; do sleep 0.02; done`;
}
