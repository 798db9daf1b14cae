import { errorCode } from '../../../base/errors.ts';
import type { Omission } from '../../common/provider.ts';
import type { FileStat } from '../../common/ports.ts';
import { pathToBytes } from '../../common/pathBytes.ts';
import type { GitLimits, GitPorts } from '../gitPorts.ts';
import { MODE_EXECUTABLE, MODE_FILE, MODE_LINK } from '../objects/treeFormat.ts';

/** A file that changes during this many attempts will not stop changing soon. */
const ATTEMPTS = 6;
/**
 * Longer than the clock ticks of file systems: at most 10 ms, or two seconds where times are whole
 * seconds.
 */
const TICK_NS = 30_000_000n;
const COARSE_TICK_NS = 2_000_000_000n;
const SECOND_NS = 1_000_000_000n;

export type Reading =
  | {
      readonly kind: 'content';
      readonly mode: string;
      readonly stat: FileStat;
      readonly bytes: Uint8Array;
      readonly isRacy: boolean;
    }
  | { readonly kind: 'omitted'; readonly reason: Omission['reason']; readonly detail?: string }
  | { readonly kind: 'folder' }
  | { readonly kind: 'gone' };

/** Reads a file or link in a consistent state: its stat data is the same before and after. */
export async function readStable(
  { files, clock }: GitPorts,
  path: string,
  limits: GitLimits,
): Promise<Reading> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      const nowNs = clock.nowNs();
      const before = await files.stat(path);
      const refusal = omitByStat(before, limits);
      if (refusal) return refusal;
      const isLink = before.kind === 'symlink';
      const bytes = isLink ? pathToBytes(await files.readLink(path)) : await files.read(path);
      const after = await files.stat(path);
      if (!isSameState(before, after) || (!isLink && bytes.length !== after.size)) continue;
      const isRacy = isRacyAt(after, nowNs);
      return { kind: 'content', mode: modeOf(before), stat: before, bytes, isRacy };
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'gone' };
      // A link or a folder has replaced the file: try again.
      if (code === 'ELOOP' || code === 'EISDIR' || code === 'EINVAL') continue;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EIO' || code === 'ENXIO') {
        return { kind: 'omitted', reason: 'unreadable', detail: code };
      }
      throw error;
    }
  }
  return { kind: 'omitted', reason: 'unstable', detail: 'It kept changing while it was read.' };
}

/** Returns why a path must not be read because of its kind or size; undefined if it can be read. */
export function omitByStat(stat: FileStat, limits: GitLimits): Reading | undefined {
  if (stat.kind === 'folder') return { kind: 'folder' };
  if (stat.kind === 'other') return { kind: 'omitted', reason: 'special' };
  if (stat.kind === 'file' && stat.size > limits.maxFileBytes) {
    return { kind: 'omitted', reason: 'too-large', detail: `${stat.size} bytes` };
  }
  return undefined;
}

export function isSameState(a: FileStat, b: FileStat): boolean {
  return (
    a.kind === b.kind &&
    a.size === b.size &&
    a.mode === b.mode &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs &&
    a.inode === b.inode
  );
}

/** Whether the file could change again after `nowNs` without this showing in its times. */
export function isRacyAt({ ctimeNs }: FileStat, nowNs: bigint): boolean {
  return ctimeNs > nowNs - (ctimeNs % SECOND_NS === 0n ? COARSE_TICK_NS : TICK_NS);
}

function modeOf({ kind, mode }: FileStat): string {
  if (kind === 'symlink') return MODE_LINK;
  return (mode & 0o100) !== 0 ? MODE_EXECUTABLE : MODE_FILE;
}
