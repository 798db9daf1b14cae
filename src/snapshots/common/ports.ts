/** How the outside reaches the snapshots: programs and files. `src/platform/node` has the real ones. */

export interface ExecOptions {
  readonly cwd: string;
  /** Added to the environment we run in; `undefined` removes. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: Uint8Array;
  readonly signal?: AbortSignal;
  /** More output than this ends the program and fails the call; 256 MiB unless told. */
  readonly maxOutputBytes?: number;
}

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** Runs a program, never a shell. Rejects when it cannot be started, is aborted, or prints too much; not when it fails. */
export type Exec = (
  program: string,
  args: readonly string[],
  options: ExecOptions,
) => Promise<ExecResult>;

/** A program that goes on running and is talked to. */
export interface RunningProgram {
  write(bytes: Uint8Array): void;
  /** The next bytes it printed; `undefined` when it has ended. One call at a time. */
  read(): Promise<Uint8Array | undefined>;
  /** Ends it. */
  dispose(): void;
}

/** Starts a program, never a shell. One that cannot be started ends without having printed anything. */
export type Start = (
  program: string,
  args: readonly string[],
  options: Pick<ExecOptions, 'cwd' | 'env'>,
) => RunningProgram;

/** What git objects are made of. */
export interface ObjectCoding {
  /** In hexadecimal digits. */
  hash(algorithm: 'sha1' | 'sha256', parts: readonly Uint8Array[]): string;
  /** In the zlib format, fast rather than small. */
  deflate(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Tells processes apart, also after their numbers were given away again. */
export interface Processes {
  /** Names this process; without `/`. */
  readonly own: string;
  isAlive(name: string): Promise<boolean>;
}

export type FileKind = 'file' | 'folder' | 'symlink' | 'other';

export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
  readonly device: bigint;
  /** How many names the file has. */
  readonly links: number;
}

/**
 * Files by absolute path. Symbolic links are never followed. A name that is not valid UTF-8 has the lone surrogate U+DC00 + n
 * for each byte n that is not, both ways, so that no name is out of reach. Rejects with an error that has a `code` such as `ENOENT`. */
export interface Files {
  stat(path: string): Promise<FileStat>;
  /** The same of many, in their order; the error's `code` for those that cannot be looked at. */
  statAll(paths: readonly string[]): Promise<readonly (FileStat | string)[]>;
  list(folder: string): Promise<readonly { readonly name: string; readonly kind: FileKind }[]>;
  read(path: string): Promise<Uint8Array>;
  /** Whether this user may read the file or list the folder. */
  canRead(path: string): Promise<boolean>;
  readLink(path: string): Promise<string>;
  /**
   * Creates or replaces in one step; readable by its owner alone unless `mode` says more. Until then the bytes are beside
   * the file, or in `drafts`, for places where a kill must leave nothing half-written: a folder, of use where it is on the same disk.
   */
  write(path: string, bytes: Uint8Array, mode?: number, drafts?: string): Promise<void>;
  /** As {@link write}, from another file: of any size, sharing blocks where the disk can. */
  copy(from: string, to: string, mode?: number, drafts?: string): Promise<void>;
  /** Whether two files hold the same; of any size. */
  areEqual(one: string, other: string): Promise<boolean>;
  /** A symbolic link; fails with `EEXIST` when there is something. */
  link(target: string, path: string): Promise<void>;
  /** With the folders above it; fine when it exists. Private to its owner. */
  makeFolder(path: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A file, a link, or an empty folder. */
  remove(path: string): Promise<void>;
  /** A whole tree; nothing when it is not there. */
  removeTree(path: string): Promise<void>;
  /** The path with every symbolic link on its way resolved. */
  realPath(path: string): Promise<string>;
}
