import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../src/platform/node/files/files.ts';
import { nodeExec } from '../../../src/platform/node/processes/exec.ts';
import type { Exec, ExecResult, Files } from '../../../src/snapshots/common/ports.ts';

/** The output or failure of a command. */
export type Answer = { readonly stdout?: string | Uint8Array } | { readonly stderr: string };

/** Answers a command instead of the fake; undefined lets the fake answer. */
export type Interceptor = (args: readonly string[]) => Answer | Promise<Answer> | undefined;

/**
 * Fakes the command of a volume manager with plain folders: snapshots are copies. For failures that
 * real file systems don't show on demand; test/process/btrfs and test/zfs test real ones.
 */
export abstract class FakeVolume {
  readonly calls: string[] = [];
  intercept: Interceptor | undefined;
  /** Set to make the command missing. */
  isInstalled = true;
  mountInfo = '';
  readonly #program: string;

  constructor(program: string) {
    this.#program = program;
  }

  readonly exec: Exec = async (program, args, options) => {
    if (path.basename(program) !== this.#program) return nodeExec(program, args, options);
    if (!this.isInstalled || program !== this.#program)
      throw Object.assign(new Error(`spawn ${program} ENOENT`), { code: 'ENOENT' });
    options.signal?.throwIfAborted();
    this.calls.push(args.join(' '));
    return resultOf((await this.intercept?.(args)) ?? this.answer(args));
  };

  /** Real files, with the mounts and inodes of the fake volume. */
  readonly files: Files = {
    ...nodeFiles,
    read: (file) =>
      file === '/proc/self/mountinfo'
        ? Promise.resolve(Buffer.from(this.mountInfo))
        : nodeFiles.read(file),
    stat: async (file) => {
      const stat = await nodeFiles.stat(file);
      return { ...stat, inode: this.inodeOf(file) ?? stat.inode };
    },
  };

  /** The inode of anything that is not a plain file or folder of the volume. */
  protected abstract inodeOf(file: string): bigint | undefined;

  protected abstract answer(args: readonly string[]): Answer;
}

function resultOf(answer: Answer): ExecResult {
  if ('stderr' in answer) return { exitCode: 1, stdout: new Uint8Array(), stderr: answer.stderr };
  return { exitCode: 0, stdout: Buffer.from(answer.stdout ?? ''), stderr: '' };
}

export function copyFolder(from: string, to: string, except?: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter((each) => each !== except))
    cpSync(path.join(from, name), path.join(to, name), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
}

/** A dataset whose snapshots are copies in its `.zfs` folder. */
export class FakeZfs extends FakeVolume {
  readonly dataset = 'tank/home';
  readonly #mountPoint: string;
  readonly #clones = new Map<string, { folder: string; origin: string }>();

  constructor(mountPoint: string) {
    super('zfs');
    this.#mountPoint = mountPoint;
    this.mountInfo = `44 1 0:40 / ${mountPoint} rw - zfs ${this.dataset} rw\n`;
  }

  folderOf(snapshot: string): string {
    return path.join(this.#mountPoint, '.zfs/snapshot', snapshot);
  }

  get snapshots(): string[] {
    const folder = path.join(this.#mountPoint, '.zfs/snapshot');
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }

  get clones(): string[] {
    return [...this.#clones.keys()];
  }

  protected override inodeOf(): undefined {}

  protected override answer(args: readonly string[]): Answer {
    const command = args[0]!;
    const last = args.at(-1)!;
    const names = this.snapshots.map((name) => `${this.dataset}@${name}`);
    const has = (name: string) => names.includes(name) || this.#clones.has(name);
    const missing = { stderr: `cannot open '${last}': dataset does not exist\n` };
    switch (command) {
      case 'version':
        return { stdout: 'zfs-2.1.11\n' };
      case 'snapshot':
        copyFolder(this.#mountPoint, this.folderOf(last.split('@')[1]!), '.zfs');
        return {};
      case 'list':
        if (args.includes('all')) return has(last) ? { stdout: `${last}\n` } : missing;
        return { stdout: names.map((name) => `${name}\n`).join('') };
      case 'get':
        if (args.includes('origin')) return { stdout: `${this.#clones.get(last)!.origin}\n` };
        return { stdout: '4096\n' };
      case 'destroy':
        if (args.includes('-n')) return { stdout: 'reclaim\t4096\n' };
        return has(last) ? this.#destroy(last) : missing;
      case 'clone':
        return this.#clone(args);
      default:
        return { stderr: `${command}: permission denied\n` };
    }
  }

  #destroy(name: string): Answer {
    const clone = this.#clones.get(name);
    rmSync(clone?.folder ?? this.folderOf(name.split('@')[1]!), { recursive: true });
    this.#clones.delete(name);
    return {};
  }

  #clone([, , option, origin, clone]: readonly string[]): Answer {
    const folder = option!.split('=')[1]!;
    copyFolder(this.folderOf(origin!.split('@')[1]!), folder);
    this.#clones.set(clone!, { folder, origin: origin! });
    return {};
  }
}

/**
 * Subvolumes that are plain folders; only those created by the command, and the given one, look
 * like subvolumes.
 */
export class FakeBtrfs extends FakeVolume {
  readonly #subvolumes: Set<string>;

  constructor(top: string) {
    super('btrfs');
    this.#subvolumes = new Set([top]);
    this.mountInfo = `44 1 0:40 / ${path.dirname(top)} rw - btrfs /dev/sda rw\n`;
  }

  protected override inodeOf(file: string): bigint | undefined {
    return this.#subvolumes.has(file) ? 256n : undefined;
  }

  protected override answer(args: readonly string[]): Answer {
    const last = args.at(-1)!;
    switch (args.slice(0, 2).join(' ')) {
      case '--version':
        return { stdout: 'btrfs-progs v6.2\n' };
      case 'subvolume create':
        mkdirSync(last);
        this.#subvolumes.add(last);
        return {};
      case 'subvolume snapshot':
        if (!existsSync(args.at(-2)!)) return { stderr: 'ERROR: not a subvolume\n' };
        if (existsSync(last)) return { stderr: `ERROR: target path already exists: ${last}\n` };
        copyFolder(args.at(-2)!, last);
        this.#subvolumes.add(last);
        return {};
      case 'subvolume delete':
        rmSync(last, { recursive: true });
        this.#subvolumes.delete(last);
        return {};
      default:
        // Only root can list and compare subvolumes.
        return { stderr: 'ERROR: Operation not permitted\n' };
    }
  }
}
