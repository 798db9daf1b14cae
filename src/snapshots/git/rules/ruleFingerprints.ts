import { isGoneCode } from '../../../base/errors.ts';
import type { FileStat } from '../../common/ports.ts';
import type { GitPorts } from '../gitPorts.ts';
import { isRacyAt } from '../scan/stableRead.ts';

/**
 * Returns a text for each file. The text changes when the file or its link target is changed or
 * replaced; it is empty if the file is missing.
 */
export async function fingerprintsOf(ports: GitPorts, paths: readonly string[]): Promise<string[]> {
  const nowNs = ports.clock.nowNs();
  const stats = await ports.files.statAll(paths);
  return Promise.all(
    stats.map(async (stat, at) => {
      if (typeof stat === 'string' || stat.kind !== 'symlink') return fingerprintOf(stat, nowNs);
      // Dotfiles are often links into a shared folder; git reads their target.
      // `stats` has the order of `paths`. A broken link has no target.
      const target = await ports.files.realPath(paths[at]!).catch(() => undefined);
      if (target === undefined) return fingerprintOf(stat, nowNs);
      const [found = 'ENOENT'] = await ports.files.statAll([target]);
      return `${fingerprintOf(stat, nowNs)} ${target} ${fingerprintOf(found, nowNs)}`;
    }),
  );
}

function fingerprintOf(stat: FileStat | string, nowNs: bigint): string {
  if (typeof stat === 'string') return isGoneCode(stat) ? '' : stat;
  const { inode, size, mtimeNs, ctimeNs } = stat;
  // Another change within the same clock tick would not show, so add the time to make this text
  // unique.
  const doubt = isRacyAt(stat, nowNs) ? ` ${nowNs}` : '';
  return `${inode} ${size} ${mtimeNs} ${ctimeNs}${doubt}`;
}
