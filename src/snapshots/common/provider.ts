import type { FileKind } from './ports.ts';

export type ProviderName = 'zfs' | 'btrfs' | 'git';

/** The order in which providers are tried. */
export const PROVIDER_ORDER: readonly ProviderName[] = ['zfs', 'btrfs', 'git'];

/** Something of the workspace that is not in a snapshot, and why. */
export interface Omission {
  /** Relative to the workspace, with `/`; a folder stands for all that is in it. */
  readonly path: string;
  readonly reason: 'ignored' | 'too-large' | 'unreadable' | 'special' | 'unstable';
  readonly detail?: string;
}

export interface TakeRequest {
  /** Unique within the workspace; names the provider's own reference. Letters, digits, `-` and `_`. */
  readonly name: string;
  readonly label: string;
  /** What may have changed since the last snapshot, relative to the workspace; unknown when left out. */
  readonly changedPaths?: readonly string[];
  /**
   * Asked when its turn has come, which may be late: names of snapshots of which the first one that is there already is what is
   * wanted. Of no effect where snapshots need not wait for each other.
   */
  reuseIfExists?(): readonly string[];
  readonly signal: AbortSignal;
}

export interface TakenSnapshot {
  /** All the provider needs to find it again, in this workspace or after it moved. Stored as it is. */
  readonly ref: string;
  /** The state is the same as in the answer before, whose reference this is. Before the first one counts what others kept. */
  readonly isUnchanged: boolean;
  /** Only what was said to have changed was looked at; of the rest the snapshot before was believed. */
  readonly isPartial?: boolean;
  readonly stats: { readonly files?: number; readonly changed?: number; readonly bytes?: number };
  readonly omissions: readonly Omission[];
}

export interface TreeEntry {
  readonly name: string;
  readonly kind: FileKind;
}

export interface TreeStat {
  readonly kind: FileKind;
  readonly size: number;
  readonly isExecutable: boolean;
  /** All permission bits, where they are kept. */
  readonly mode?: number;
}

/** The workspace as it was, to read. Paths are relative to the workspace, with `/`; `''` is its root. */
export interface SnapshotTree {
  /** Where the same files can be read by anybody, when there is such a place. */
  readonly folder: string | undefined;
  /** @throws UserError `not-in-snapshot` */
  stat(path: string): Promise<TreeStat>;
  list(folder: string): Promise<readonly TreeEntry[]>;
  /** A file's content, or a symbolic link's target. */
  read(path: string): Promise<Uint8Array>;
  /** Equal for equal files, or folders with all that is in them; not there where finding out means to read them. */
  identity?(path: string): Promise<string>;
  /** What the snapshot says that it does not have. */
  omissions(): Promise<readonly Omission[]>;
  /** Whether something may have been there that the snapshot does not have, as what is ignored: it is not known to be gone. */
  mayLack(path: string): Promise<boolean>;
}

/** Stands for the files as they are, where a snapshot's reference is expected. */
export const WORKSPACE_NOW = 'workspace';

export interface FileChange {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted' | 'type-changed';
  /** Of a modified one, where they differ and both are known; perhaps they alone. */
  readonly permissions?: PermissionChange;
}

export interface PermissionChange {
  readonly before: number;
  readonly after: number;
}

/** Nothing, where one of them is not known, or both are the same. */
export function permissionChange(
  before: number | undefined,
  after: number | undefined,
): PermissionChange | undefined {
  if (before === undefined || after === undefined) return undefined;
  const pair = { before: before & ALL_PERMISSIONS, after: after & ALL_PERMISSIONS };
  return pair.before === pair.after ? undefined : pair;
}

/** Of a mode, without what kind of file it is. */
export const ALL_PERMISSIONS = 0o7777;

/** From "what happened since" to "what leads back". */
export function invertedChanges(changes: readonly FileChange[]): FileChange[] {
  const kinds: Partial<Record<FileChange['kind'], FileChange['kind']>> = {
    added: 'deleted',
    deleted: 'added',
  };
  return changes.map(({ path, kind, permissions }) => ({
    ...{ path, kind: kinds[kind] ?? kind },
    ...(permissions && { permissions: { before: permissions.after, after: permissions.before } }),
  }));
}

export interface CloneRequest {
  readonly ref: string;
  /** Does not exist yet. */
  readonly destination: string;
  readonly name: string;
  readonly signal: AbortSignal;
  /** Called when all that is left to do is to wait: something else can be done meanwhile. */
  readonly onDidBegin?: () => void;
}

/** A repository of the workspace whose HEAD and index a state has beside the files. */
export interface KeptRepository {
  /** Its top, relative to the workspace; `''` also when the workspace is a folder within it. */
  readonly path: string;
  /** Whether a clone is, or would be now, a working tree of it: it has to be there, with the commit that HEAD was at. */
  readonly isLinked: boolean;
}

export interface ClonedFolder {
  readonly workspace: string;
  /** As of {@link SnapshotProvider.repositories}. */
  readonly repositories?: readonly KeptRepository[];
}

/** A state as it is on the disk, with whatever it holds beside the workspace. */
export interface WholeState {
  readonly ref: string;
  /** Where its files are; nothing may be there after an interruption. */
  readonly folder: string;
  /** The folder whose state it is. */
  readonly of: string;
  /** Whether a reference means this one, that of another workspace too. */
  isMeantBy(ref: string): boolean;
}

/** The bytes without what is to go; nothing when it is not in them. */
export type Scrub = (bytes: Uint8Array) => Uint8Array | undefined;

/** Keeps states of one workspace. Never changes anything in it, nor anything of the user's repository. */
export interface SnapshotProvider {
  readonly name: ProviderName;
  /** The folder whose states are kept. */
  readonly workspace: string;
  /**
   * Leaves nothing half-made when it fails or is aborted.
   * @throws UserError that says what was in the way; `snapshot-exists` where another state has the name
   */
  take(request: TakeRequest): Promise<TakenSnapshot>;
  open(ref: string): Promise<SnapshotTree>;
  /** What happened between two snapshots, or between one and {@link WORKSPACE_NOW}. Sorted by path. */
  diff(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]>;
  /**
   * All that rules leave out now, relative to the workspace: snapshots name a part of it where it is too much. Where they leave
   * nothing out, there is none of this. Keeps nothing, and waits for nobody. @throws UserError
   */
  ignored?(signal: AbortSignal): Promise<readonly string[]>;
  /** A writable copy with the exact files (and for git HEAD and index); returns its workspace folder. */
  clone(request: CloneRequest): Promise<ClonedFolder>;
  /** Where HEAD and index are kept beside the files: of which repositories. Changes nothing. */
  repositories?(ref: string): Promise<readonly KeptRepository[]>;
  /** Removes a clone made by {@link clone}. */
  removeClone(destination: string): Promise<void>;
  /** References that exist; the ones nobody knows are garbage of interrupted work. */
  list(): Promise<readonly string[]>;
  /** Disk space that removing these would free, as far as the provider can tell. */
  cost(refs: readonly string[], signal?: AbortSignal): Promise<number>;
  /** Removing one that is gone already is fine. */
  remove(refs: readonly string[]): Promise<void>;
  /** Where states need something outside of what they are kept in: lets go of it. They, and what they are kept in, go next. */
  releaseExternalRefs?(): Promise<void>;
  /**
   * Takes something out of all states for good, where the provider can write them anew; others cannot, and lack this.
   * Reads all that it holds again, and fails when it is still there.
   * @returns the new references by the old ones
   */
  scrub?(scrub: Scrub, signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /**
   * Where states cannot be written anew: all that may hold the workspace's files, those of other workspaces on the same
   * volume included.
   */
  wholeStates?(): Promise<readonly WholeState[]>;
  /** Takes something out of what is said of states beside their files. */
  scrubLabels?(scrub: Scrub): Promise<void>;
  dispose(): void;
}

/** Whether a provider works in a folder for this user, found out by trying. */
export type Detection = { readonly provider: SnapshotProvider } | { readonly refusal: string };
