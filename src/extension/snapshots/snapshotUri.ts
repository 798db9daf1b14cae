import * as vscode from 'vscode';

/** Files of a snapshot, straight from where they are kept; read-only. */
export const SNAPSHOT_SCHEME = 'ah-snapshot';

export interface SnapshotPlace {
  readonly sessionId: string;
  readonly snapshotId: bigint;
  /** Relative to the workspace, with `/`; `''` is its root. */
  readonly path: string;
}

export function snapshotUri({ sessionId, snapshotId, path }: SnapshotPlace): vscode.Uri {
  const root = `/${sessionId}/${snapshotId}`;
  return vscode.Uri.from({ scheme: SNAPSHOT_SCHEME, path: path ? `${root}/${path}` : root });
}

/** Nothing for what is no such address. */
export function parseSnapshotUri(uri: vscode.Uri): SnapshotPlace | undefined {
  const [, sessionId, id, path = ''] = /^\/([^/]+)\/(\d{1,20})(?:\/(.*))?$/s.exec(uri.path) ?? [];
  if (uri.scheme !== SNAPSHOT_SCHEME || !sessionId || !id) return undefined;
  return { sessionId, snapshotId: BigInt(id), path: path.replace(/\/$/, '') };
}
