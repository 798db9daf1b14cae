import { UserError } from '../../base/errors.ts';
import { hashOf, ownedName } from '../volume/storageKey.ts';
import type { VolumeSnapshot } from '../volume/volumeProvider.ts';
import type { Dataset } from './zfsTool.ts';

const REF = /^(ah-[0-9a-f]{16}-[A-Za-z0-9_-]{1,128}):(.*)$/s;

/**
 * A reference: the snapshot's name and the workspace's folder in the dataset. The dataset's name is
 * not a part, so that references survive renaming the dataset. The snapshot's name tells the
 * workspaces of a dataset apart.
 */
export interface ZfsRef {
  readonly snapshot: string;
  readonly folder: string;
}

/** An existing snapshot of a dataset. */
export interface ZfsSnapshot extends VolumeSnapshot {
  readonly dataset: Dataset;
  readonly snapshot: string;
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

/** Whether we took the snapshot, for any workspace. */
export function isOurs(snapshot: string): boolean {
  return REF.test(`${snapshot}:`);
}

/**
 * The prefix of all snapshot names of a workspace.
 * @param owner the data folder of the snapshots' owner
 */
export function snapshotPrefix(folder: string, owner: string): string {
  return `ah-${hashOf(ownedName(folder, owner))}-`;
}
