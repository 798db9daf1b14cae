import * as vscode from 'vscode';
import { relativeTo } from '../../snapshots/common/posixPath.ts';

/** URI scheme of files in snapshots. */
export const SNAPSHOT_SCHEME = 'ah-snapshot';

export interface SnapshotKey {
  readonly sessionId: string;
  readonly snapshotId: bigint;
}

export interface SnapshotPlace extends SnapshotKey {
  /**
   * The path that the file has in the workspace: VS Code treats files with equal paths as versions
   * of one file.
   */
  readonly file: string;
}

export interface ParsedSnapshotUri extends SnapshotKey {
  /**
   * The path relative to the session's workspace; undefined for a path outside of the workspace.
   */
  pathIn(workspace: string): string | undefined;
}

/** Marks URIs whose first path segment is a window title; see {@link snapshotRootUri}. */
const TITLED = 'titled';

export function snapshotUri({ sessionId, snapshotId, file }: SnapshotPlace): vscode.Uri {
  const authority = `${sessionId}.${snapshotId}`;
  return vscode.Uri.file(file).with({ scheme: SNAPSHOT_SCHEME, authority });
}

/**
 * The URI of a whole snapshot as a folder. Its path ends with the title, because the last segment
 * is the only part of a window's title that an extension can set.
 */
export function snapshotRootUri(key: SnapshotKey, title: string): vscode.Uri {
  const authority = `${key.sessionId}.${key.snapshotId}.${TITLED}`;
  return vscode.Uri.from({ scheme: SNAPSHOT_SCHEME, authority, path: `/${title}` });
}

/** @returns undefined for URIs that do not belong to a snapshot */
export function parseSnapshotUri(uri: vscode.Uri): ParsedSnapshotUri | undefined {
  const [, sessionId, id, kind] = /^([^.]+)\.(\d{1,20})(?:\.(\w+))?$/.exec(uri.authority) ?? [];
  if (uri.scheme !== SNAPSHOT_SCHEME || !sessionId || !id) return undefined;
  const key = { sessionId, snapshotId: BigInt(id) };
  if (kind === TITLED)
    return { ...key, pathIn: () => uri.path.split('/').slice(2).filter(Boolean).join('/') };
  if (kind !== undefined) return undefined;
  const file = vscode.Uri.file(uri.path).fsPath;
  return { ...key, pathIn: (workspace) => relativeTo(workspace, file) };
}
