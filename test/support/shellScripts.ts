/** For a script of the shell: goes on when the file is there. A test that writes it decides when. */
export function untilFile(file: string): string {
  return `until [ -e '${file}' ]; do sleep 0.02; done`;
}

/** For the script of a recorded program: goes on when so many snapshots of a kind have their files. */
export function untilKept(trigger: string, count = 1): string {
  const lines = '"$AH_SESSION_DIR/session.snapshots.jsonl"';
  const kept = `grep -c '"trigger":"${trigger}".*"fs_snapshot":true' ${lines}`;
  return `until [ "$(${kept})" -ge ${count} ]; do sleep 0.02; done`;
}
