import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync } from 'node:fs';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../ah.ts';

const MIB = 1024 * 1024;

export type FileSystem = 'ext4' | 'btrfs';

const makeFileSystem: Record<FileSystem, readonly string[]> = {
  ext4: ['mkfs.ext4', '-q', '-F', '-E', 'nodiscard,lazy_itable_init=0,lazy_journal_init=0'],
  btrfs: ['mkfs.btrfs', '--quiet', '--nodiscard'],
};

/**
 * A real file system on a disk whose writes and flushes are logged: a loop device over a file that
 * a process of ours serves. Needs root and /dev/fuse.
 */
export class LoggedDisk {
  readonly fileSystem: FileSystem;
  /** The disk as it was before the first logged write. */
  readonly base: string;
  readonly log: string;
  /** The mount point. */
  readonly folder: string;
  readonly #scratch: string;
  readonly #device: string;
  readonly #server: ChildProcess;
  #isStopped = false;

  private constructor(
    fileSystem: FileSystem,
    scratch: string,
    device: string,
    server: ChildProcess,
  ) {
    this.fileSystem = fileSystem;
    this.#scratch = scratch;
    this.#device = device;
    this.#server = server;
    this.base = path.join(scratch, 'base');
    this.log = path.join(scratch, 'log');
    this.folder = path.join(scratch, 'mnt');
  }

  static async create(fileSystem: FileSystem, sizeMib: number): Promise<LoggedDisk> {
    const scratch = mkdtempSync(path.join(tmpdir(), 'ah-power-'));
    const at = (name: string) => path.join(scratch, name);
    writeFileSync(at('base'), '');
    truncateSync(at('base'), sizeMib * MIB);
    const [program, ...options] = makeFileSystem[fileSystem] as [string, ...string[]];
    execFileSync(program, [...options, at('base')], { stdio: 'ignore' });
    copySparse(at('base'), at('image'));
    writeFileSync(at('served'), '');
    mkdirSync(at('mnt'));
    const server = await serve(at('image'), at('log'), at('served'));
    const device = execFileSync('losetup', ['--find', '--show', at('served')], {
      encoding: 'utf8',
    }).trim();
    execFileSync('mount', ['-t', fileSystem, device, at('mnt')]);
    return new LoggedDisk(fileSystem, scratch, device, server);
  }

  /** Adds a mark to the log; returns when the mark is in it. */
  async mark(text: string): Promise<void> {
    const marked = once(this.#server, 'message');
    this.#server.send(text);
    await marked;
  }

  /** Ends the log; the base and the log can still be read. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    // Repeat: a killed process may still be ending, and uses the disk until then.
    await until(() => tries('umount', this.folder), `${this.folder} to be unmounted`);
    execFileSync('losetup', ['--detach', this.#device]);
    const ended = once(this.#server, 'exit');
    await until(
      () => tries('umount', path.join(this.#scratch, 'served')),
      'the served file to be unmounted',
    );
    await ended;
  }

  async delete(): Promise<void> {
    await this.stop();
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}

/** The kernel takes the descriptor of /dev/fuse from the process that mounts. */
async function serve(image: string, log: string, file: string): Promise<ChildProcess> {
  const fuse = openSync('/dev/fuse', 'r+');
  try {
    const options = 'fd=3,rootmode=100000,user_id=0,group_id=0';
    execFileSync('mount', ['-i', '-t', 'fuse', '-o', options, 'ah-disk', file], {
      stdio: ['ignore', 'ignore', 'inherit', fuse],
    });
    const main = path.join(import.meta.dirname, 'loggedFileMain.ts');
    const server = spawn(process.execPath, [main, image, log], {
      stdio: ['ignore', 'inherit', 'inherit', fuse, 'ipc'],
    });
    await once(server, 'spawn');
    return server;
  } finally {
    closeSync(fuse);
  }
}

export function copySparse(from: string, to: string): void {
  execFileSync('cp', ['--sparse=always', from, to]);
}

function tries(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false; // Busy.
  }
}
