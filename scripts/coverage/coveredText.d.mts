/** @returns by absolute path: 1 for every character that ran in at least one process */
export function readCoveredText(reports: string, folder: string): Map<string, Uint8Array>;
