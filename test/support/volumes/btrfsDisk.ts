import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MIB = 1024 * 1024;

export interface DiskOptions {
  readonly sizeMib: number;
  readonly mountOptions?: string;
}

/** A real Btrfs file system in a file, mounted. Needs root and btrfs-progs. */
export class BtrfsDisk {
  readonly #scratch: string;
  /** The mount point. */
  readonly folder: string;

  constructor({ sizeMib, mountOptions }: DiskOptions) {
    this.#scratch = mkdtempSync(path.join(tmpdir(), 'ah-btrfs-'));
    // Tests become another user, who needs access.
    chmodSync(this.#scratch, 0o755);
    this.folder = path.join(this.#scratch, 'mnt');
    try {
      const image = path.join(this.#scratch, 'image');
      writeFileSync(image, '');
      truncateSync(image, sizeMib * MIB);
      execFileSync('mkfs.btrfs', ['--quiet', image], { stdio: 'ignore' });
      mkdirSync(this.folder);
      // The kernel frees the loop device when the file system is unmounted.
      execFileSync('mount', [
        '-o',
        ['loop', mountOptions].filter(Boolean).join(','),
        image,
        this.folder,
      ]);
    } catch (error) {
      rmSync(this.#scratch, { recursive: true, force: true });
      throw error;
    }
  }

  subvolume(name: string, owner?: number): string {
    const folder = path.join(this.folder, name);
    execFileSync('btrfs', ['subvolume', 'create', folder], { stdio: 'ignore' });
    if (owner !== undefined) execFileSync('chown', [`${owner}:${owner}`, folder]);
    return folder;
  }

  folderOf(name: string, owner?: number): string {
    const folder = path.join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    if (owner !== undefined) execFileSync('chown', [`${owner}:${owner}`, folder]);
    return folder;
  }

  /** Lists the paths of all subvolumes, from the top of the disk. */
  subvolumes(): string[] {
    const lines = execFileSync('btrfs', ['subvolume', 'list', this.folder], { encoding: 'utf8' });
    return [...lines.matchAll(/ path (.*)$/gm)].map(([, name]) => name!).sort();
  }

  dispose(): void {
    execFileSync('umount', ['--recursive', this.folder]);
    this.#removeImage();
  }

  /** Unmounts lazily while processes still use it. */
  disposeInUse(): void {
    execFileSync('umount', ['--recursive', '--lazy', this.folder]);
    this.#removeImage();
  }

  #removeImage(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}

/** Gives every test a fresh disk, which is always unmounted afterwards. Call in a `describe`. */
export function useBtrfsDisk(options: DiskOptions): { readonly current: BtrfsDisk } {
  let disk: BtrfsDisk | undefined;
  beforeEach(() => (disk = new BtrfsDisk(options)) && undefined);
  afterEach(() => {
    disk?.dispose();
    disk = undefined;
  });
  return {
    get current(): BtrfsDisk {
      return disk!;
    },
  };
}
