import type { FileKind } from './ports.ts';

export type ProviderName = 'zfs' | 'btrfs' | 'git';

/** The order in which providers are tried. */
export const PROVIDER_ORDER: readonly ProviderName[] = ['zfs', 'btrfs', 'git'];

/** Something in the workspace that is not in a snapshot, and why. */
export interface Omission {
  /** Relative to the workspace, with `/`; a folder stands for everything in it. */
  readonly path: string;
  readonly reason: 'ignored' | 'too-large' | 'unreadable' | 'special' | 'unstable';
  readonly detail?: string;
}

export interface TakeRequest {
  /**
   * Unique within the workspace; part of the provider's reference. Letters, digits, `-` and `_`.
   */
  readonly name: string;
  readonly label: string;
  /** Paths that may have changed since the last snapshot; undefined if they are unknown. */
  readonly changedPaths?: readonly string[];
  /**
   * Called when the provider starts this snapshot; it may take others first. Returns the names of
   * snapshots that may be reused: the provider returns the first one that exists instead of taking
   * a new one. Providers that take snapshots without waiting ignore this.
   */
  reuseIfExists?(): readonly string[];
  readonly signal: AbortSignal;
}

export interface TakenSnapshot {
  /**
   * The reference by which the provider finds the snapshot, even after the workspace was moved.
   * Other code stores it unchanged.
   */
  readonly ref: string;
  /**
   * Nothing has changed since the last snapshot of the workspace, so its reference is returned
   * again. Another process may have taken that snapshot: compare the reference with your last one.
   */
  readonly isUnchanged: boolean;
  /** Only the reported paths were read; the rest was assumed to be unchanged. */
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
  /** All permission bits, if the provider stores them. */
  readonly mode?: number;
}

/** A snapshot's files. Paths are relative to the workspace, with `/`; `''` is its root. */
export interface SnapshotTree {
  /** The folder in which any program can read these files, if there is one. */
  readonly folder: string | undefined;
  /** @throws UserError `not-in-snapshot` */
  stat(path: string): Promise<TreeStat>;
  list(folder: string): Promise<readonly TreeEntry[]>;
  /** Returns a file's content or a symbolic link's target. */
  read(path: string): Promise<Uint8Array>;
  /**
   * Returns a text that is equal for equal content. Not implemented by providers that would have to
   * read the files for it.
   */
  identity?(path: string): Promise<string>;
  /** Lists what the snapshot omits. */
  omissions(): Promise<readonly Omission[]>;
  /** Whether the path may have existed although it is not in the snapshot. */
  mayLack(path: string): Promise<boolean>;
}

/** Stands for the current files where a snapshot's reference is expected. */
export const WORKSPACE_NOW = 'workspace';

export interface FileChange {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted' | 'type-changed';
  /** Set if the permissions of a modified file differ and both are known. */
  readonly permissions?: PermissionChange;
}

export interface PermissionChange {
  readonly before: number;
  readonly after: number;
}

/** Returns undefined if one of the modes is unknown or both have the same permissions. */
export function permissionChange(
  before: number | undefined,
  after: number | undefined,
): PermissionChange | undefined {
  if (before === undefined || after === undefined) return undefined;
  const pair = { before: before & ALL_PERMISSIONS, after: after & ALL_PERMISSIONS };
  return pair.before === pair.after ? undefined : pair;
}

/** The permission bits of a mode, without the bits of the file type. */
export const ALL_PERMISSIONS = 0o7777;

/** Turns the changes since a snapshot into the changes that undo them. */
export function invertedChanges(changes: readonly FileChange[]): FileChange[] {
  const kinds: Partial<Record<FileChange['kind'], FileChange['kind']>> = {
    added: 'deleted',
    deleted: 'added',
  };
  return changes.map(({ path, kind, permissions }) => ({
    path,
    kind: kinds[kind] ?? kind,
    ...(permissions && { permissions: { before: permissions.after, after: permissions.before } }),
  }));
}

export interface CloneRequest {
  readonly ref: string;
  /** Must not exist yet. */
  readonly destination: string;
  readonly name: string;
  readonly signal: AbortSignal;
  /** Called when the slow part has begun, so that the caller can start other work meanwhile. */
  readonly onDidBegin?: () => void;
}

/** A git repository of the workspace whose HEAD and index are part of a snapshot. */
export interface KeptRepository {
  /**
   * The repository's top folder, relative to the workspace; also `''` if the workspace is a folder
   * within the repository.
   */
  readonly path: string;
  /**
   * Whether a clone is, or would be if it was made now, a git worktree of the repository: this
   * needs the repository and the commit that HEAD was at.
   */
  readonly isLinked: boolean;
}

export interface ClonedFolder {
  readonly workspace: string;
  /** The same as {@link SnapshotProvider.repositories} returns. */
  readonly repositories?: readonly KeptRepository[];
}

/** A snapshot of a whole volume, which may contain files outside of the workspace. */
export interface WholeVolumeSnapshot {
  readonly ref: string;
  /**
   * The folder with the snapshot's files. It may be missing if taking the snapshot was interrupted.
   */
  readonly folder: string;
  /** The folder that the snapshot was taken of. */
  readonly of: string;
  /** Whether a reference names this snapshot. It may be a reference of another workspace. */
  isNamedBy(ref: string): boolean;
}

/** Returns the bytes without the text to remove, or undefined if they don't contain it. */
export type Scrub = (bytes: Uint8Array) => Uint8Array | undefined;

/** Takes and restores snapshots. Never changes the workspace or the user's repository. */
export interface SnapshotProvider {
  readonly name: ProviderName;
  /** The folder of which snapshots are taken. */
  readonly workspace: string;
  /**
   * The snapshot is on disk when this returns. Cleans up after itself when it fails or is aborted.
   * @throws UserError with the reason; `snapshot-exists` if another snapshot has the name
   */
  take(request: TakeRequest): Promise<TakenSnapshot>;
  open(ref: string): Promise<SnapshotTree>;
  /**
   * Verifies that a snapshot is complete and readable, after a crash while it was taken.
   * @throws UserError `snapshot-lost` if it is not
   */
  prove(ref: string): Promise<void>;
  /**
   * Compares two snapshots, or a snapshot with {@link WORKSPACE_NOW}. Changes are sorted by path.
   */
  diff(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]>;
  /**
   * Lists every path that is ignored now, relative to the workspace; a snapshot names only some of
   * them if there are many. Not implemented by providers that ignore nothing. Stores nothing and
   * takes no lock.
   * @throws UserError
   */
  ignored?(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Creates a writable copy with the exact files (for git also HEAD and index) and returns its
   * workspace folder.
   */
  clone(request: CloneRequest): Promise<ClonedFolder>;
  /** Lists the git repositories whose HEAD and index are in the snapshot. Changes nothing. */
  repositories?(ref: string): Promise<readonly KeptRepository[]>;
  /** Removes a clone made by {@link clone}. */
  removeClone(destination: string): Promise<void>;
  /**
   * Lists the references of all snapshots. If no session has a reference, interrupted work left it.
   */
  list(): Promise<readonly string[]>;
  /** Estimates the disk space that removing these snapshots would free. */
  cost(refs: readonly string[], signal?: AbortSignal): Promise<number>;
  /** Ignores references that no longer exist. */
  remove(refs: readonly string[]): Promise<void>;
  /** Removes references that are outside of the storage; call before deleting the storage. */
  releaseExternalRefs?(): Promise<void>;
  /**
   * Rewrites all snapshots that contain a text, and keeps both versions. Not implemented by providers
   * whose snapshots are read-only.
   * @returns the new reference of each rewritten snapshot by its old one
   */
  prepareScrub?(scrub: Scrub, signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /**
   * Replaces snapshots by what {@link prepareScrub} returned, and deletes the old versions. Without
   * replacements, deletes the new versions. May be repeated after an interruption.
   */
  finishScrub?(replaced: ReadonlyMap<string, string>): Promise<void>;
  /** Reads everything again. @throws Error if anything still contains the text */
  verifyScrub?(scrub: Scrub, signal: AbortSignal): Promise<void>;
  /**
   * Lists all snapshots that may contain files of the workspace, including those of other
   * workspaces on the same volume. Implemented by providers whose snapshots are read-only.
   */
  volumeSnapshots?(): Promise<readonly WholeVolumeSnapshot[]>;
  /** Changes the label of each snapshot for which `scrub` returns another one. */
  scrubLabels?(scrub: (label: Uint8Array, ref: string) => Uint8Array | undefined): Promise<void>;
  dispose(): void;
}

/** Whether a provider works in a folder for this user, determined by trying it. */
export type Detection = { readonly provider: SnapshotProvider } | { readonly refusal: string };
