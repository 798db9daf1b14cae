import { UserError } from '../../base/errors.ts';
import { hashOf, ownedName } from '../volume/workspaceKey.ts';
import type { Dataset } from './zfsTool.ts';

const REF = /^(ah-[0-9a-f]{16}-[A-Za-z0-9_-]{1,128}):(.*)$/s;

/**
 * A reference is the name of the snapshot and the workspace's folder in the dataset. The dataset is not in it, so that it
 * stays the same when that is renamed; the name of the snapshot tells apart the workspaces of one dataset.
 */
export interface ZfsRef {
  readonly snapshot: string;
  readonly folder: string;
}

export interface FoundSnapshot {
  readonly dataset: Dataset;
  readonly snapshot: string;
  readonly folder: string;
  /** Of the whole dataset. */
  readonly top: string;
  /** The workspace in it. */
  readonly root: string;
}

export function parseRef(ref: string): ZfsRef {
  const [, snapshot, folder] = REF.exec(ref) ?? [];
  if (snapshot === undefined || folder === undefined || folder.split('/').includes('..')) {
    throw new UserError('bad-ref', `${ref} is not the name of a ZFS snapshot.`);
  }
  return { snapshot, folder };
}

export function refOf(snapshot: string, folder: string): string {
  const ref = `${snapshot}:${folder}`;
  parseRef(ref);
  return ref;
}

/** Whether a snapshot of a dataset was taken by us, for whichever workspace. */
export function isOurs(snapshot: string): boolean {
  return REF.test(`${snapshot}:`);
}

/** What the names of all snapshots of a workspace start with. @param owner whose data says what is needed */
export function snapshotPrefix(folder: string, owner: string): string {
  return `ah-${hashOf(ownedName(folder, owner))}-`;
}
