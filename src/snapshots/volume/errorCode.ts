/** The `code` of a file system's error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether that `code` says that nothing is there, and not just that it cannot be looked at. */
export function saysGone(code: string): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}
