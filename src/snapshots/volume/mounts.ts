import type { Files } from '../common/ports.ts';
import type { Omission } from '../common/provider.ts';
import { relativeTo } from '../common/posixPath.ts';

export interface Mount {
  readonly folder: string;
  /** Which folder of the file system is mounted; `/` unless it is a bind mount or a subvolume. */
  readonly root: string;
  readonly type: string;
  /** A device, or a dataset. */
  readonly source: string;
}

/** The file system that contains a path, and the file systems mounted inside the path. */
export interface MountsOfPath {
  readonly around: Mount | undefined;
  readonly within: readonly Omission[];
}

/** Finds the mount that contains a path, and the mounts inside the path, which snapshots lack. */
export async function mountsOf(files: Files, path: string): Promise<MountsOfPath> {
  let around: Mount | undefined;
  const within: Omission[] = [];
  for (const mount of await allMounts(files)) {
    const below = relativeTo(path, mount.folder);
    if (below !== undefined && below !== '') {
      const detail = `a mounted ${mount.type} file system`;
      within.push({ path: below, reason: 'special', detail });
    } else if (relativeTo(mount.folder, path) !== undefined) {
      // The deepest mount counts. If several have the same folder, the last one hides the others.
      if (mount.folder.length >= (around?.folder.length ?? 0)) around = mount;
    }
  }
  return { around, within };
}

/** Lists mounts in mount order; empty on systems without such a list. */
export async function allMounts(files: Files): Promise<Mount[]> {
  const bytes = await files.read('/proc/self/mountinfo').catch(() => new Uint8Array());
  const lines = new TextDecoder().decode(bytes).split('\n');
  return lines.flatMap((line) => parseMount(line) ?? []);
}

/** `ID PARENT DEVICE ROOT FOLDER OPTIONS [TAGS…] - TYPE SOURCE OPTIONS` */
function parseMount(line: string): Mount | undefined {
  const fields = line.split(' ').map(unescaped);
  const dash = fields.indexOf('-', 6);
  const [root, folder, type, source] = [fields[3], fields[4], fields[dash + 1], fields[dash + 2]];
  if (dash === -1 || !root || !folder || !type || source === undefined) return undefined;
  return { folder, root, type, source };
}

/** The kernel escapes white space and backslashes as three octal digits. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
