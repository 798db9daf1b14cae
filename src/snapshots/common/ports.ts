/** Ports through which snapshot code runs programs and reaches files; see `src/platform/node`. */

export interface ExecOptions {
  readonly cwd: string;
  /** Added to the environment of this process; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: Uint8Array;
  readonly signal?: AbortSignal;
  /** A program that prints more is killed and the call rejects. Default: 256 MiB. */
  readonly maxOutputBytes?: number;
}

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/**
 * Runs a program without a shell. Rejects if the program can't start, is aborted or prints too
 * much, but not if it exits with an error.
 */
export type Exec = (
  program: string,
  args: readonly string[],
  options: ExecOptions,
) => Promise<ExecResult>;

/** A long-running program with piped input and output. */
export interface RunningProgram {
  write(bytes: Uint8Array): void;
  /** Resolves with the next output, or `undefined` after the end. One call at a time. */
  read(): Promise<Uint8Array | undefined>;
  /** Kills the program. */
  dispose(): void;
}

/**
 * Starts a program without a shell. If the program can't start, `read` resolves with `undefined`.
 */
export type Start = (
  program: string,
  args: readonly string[],
  options: Pick<ExecOptions, 'cwd' | 'env'>,
) => RunningProgram;

/** Hashing and compression of git objects. */
export interface ObjectCoding {
  /** Returns hexadecimal digits. */
  hash(algorithm: 'sha1' | 'sha256', parts: readonly Uint8Array[]): string;
  /** Compresses in the zlib format, at the fastest level. */
  deflate(bytes: Uint8Array): Promise<Uint8Array>;
  /** Rejects if the bytes are damaged. */
  inflate(bytes: Uint8Array): Promise<Uint8Array>;
  crc32(bytes: Uint8Array): number;
}

/** Identifies processes, even if process numbers are reused. */
export interface Processes {
  /** The name of this process; contains no `/`. */
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
  /** Number of hard links. */
  readonly links: number;
}

/**
 * Files by absolute path. Symbolic links are never followed. In a file name that is not valid
 * UTF-8, the lone surrogate U+DC00 + n stands for each invalid byte n, in arguments and in results,
 * so that every name can be expressed. Rejects with an error that has a `code` such as `ENOENT`.
 */
export interface Files {
  stat(path: string): Promise<FileStat>;
  /**
   * Like {@link stat} for many paths, in their order. A path that fails yields the error's `code`.
   */
  statAll(paths: readonly string[]): Promise<readonly (FileStat | string)[]>;
  list(folder: string): Promise<readonly { readonly name: string; readonly kind: FileKind }[]>;
  read(path: string): Promise<Uint8Array>;
  /** Whether this user may read the file or list the folder. */
  canRead(path: string): Promise<boolean>;
  readLink(path: string): Promise<string>;
  /**
   * Creates or replaces a file atomically; only its owner can read it unless `mode` says otherwise.
   * Writes a draft first and moves it into place. The draft is beside the file, or in the folder
   * `drafts` on the same disk if a killed process must not leave a partial file beside it.
   */
  write(path: string, bytes: Uint8Array, mode?: number, drafts?: string): Promise<void>;
  /**
   * Waits until the content of a file, or the names in a folder, are on the disk. {@link write} and
   * {@link rename} don't wait.
   */
  sync(path: string): Promise<void>;
  /** Like {@link write}, but copies another file of any size, sharing disk blocks if possible. */
  copy(from: string, to: string, mode?: number, drafts?: string): Promise<void>;
  /** Whether two files of any size have the same content. */
  areEqual(one: string, other: string): Promise<boolean>;
  /** Creates a symbolic link; fails with `EEXIST` if the path exists. */
  link(target: string, path: string): Promise<void>;
  /** Creates a folder and its parents, for the owner only; does nothing if it exists. */
  makeFolder(path: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, a link or an empty folder. */
  remove(path: string): Promise<void>;
  /** Removes a whole tree; does nothing if the tree does not exist. */
  removeTree(path: string): Promise<void>;
  /** Returns the path with every symbolic link resolved. */
  realPath(path: string): Promise<string>;
}
