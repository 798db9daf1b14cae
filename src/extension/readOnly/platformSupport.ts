/** Whether a platform can record sessions: the recorder needs a Unix pseudoterminal. */
export function canRecordOn(platform: string): boolean {
  return platform === 'linux' || platform === 'darwin';
}
