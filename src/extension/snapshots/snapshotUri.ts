import * as vscode from 'vscode';

/** Files of a snapshot, straight from where they are kept; read-only. */
export const SNAPSHOT_SCHEME = 'ah-snapshot';

export interface SnapshotPlace {
  readonly sessionId: string;
  readonly snapshotId: bigint;
  /** Where the file is when it is in the workspace: the editor takes two files of one path for the same file at two times. */
  readonly file: string;
}

export function snapshotUri({ sessionId, snapshotId, file }: SnapshotPlace): vscode.Uri {
  const authority = `${sessionId}.${snapshotId}`;
  return vscode.Uri.file(file).with({ scheme: SNAPSHOT_SCHEME, authority });
}

/** Nothing for what is no such address. */
export function parseSnapshotUri(uri: vscode.Uri): SnapshotPlace | undefined {
  const [, sessionId, id] = /^([^.]+)\.(\d{1,20})$/.exec(uri.authority) ?? [];
  if (uri.scheme !== SNAPSHOT_SCHEME || !sessionId || !id) return undefined;
  const file = vscode.Uri.file(uri.path).fsPath;
  return { sessionId, snapshotId: BigInt(id), file };
}
