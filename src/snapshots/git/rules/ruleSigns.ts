import type { FileStat } from '../../common/ports.ts';
import { saysGone } from '../../volume/errorCode.ts';
import type { GitPorts } from '../gitPorts.ts';
import { isRacyAt } from '../scan/stableRead.ts';

/** One text for each file: it differs when the file, or what it links to, was changed or replaced; empty when it is not there. */
export async function signsOf(ports: GitPorts, paths: readonly string[]): Promise<string[]> {
  const nowNs = ports.clock.nowNs();
  const stats = await ports.files.statAll(paths);
  return Promise.all(
    stats.map(async (stat, at) => {
      if (typeof stat === 'string' || stat.kind !== 'symlink') return signOf(stat, nowNs);
      // Settings are often links into a folder that is shared between machines: git reads what is there.
      const target = await ports.files.realPath(paths[at]!).catch(() => undefined);
      if (target === undefined) return signOf(stat, nowNs);
      const [found] = await ports.files.statAll([target]);
      return `${signOf(stat, nowNs)} ${target} ${signOf(found!, nowNs)}`;
    }),
  );
}

function signOf(stat: FileStat | string, nowNs: bigint): string {
  if (typeof stat === 'string') return saysGone(stat) ? '' : stat;
  const { inode, size, mtimeNs, ctimeNs } = stat;
  // Another change within the tick of this one would not show: unlike any other sign.
  const doubt = isRacyAt(stat, nowNs) ? ` ${nowNs}` : '';
  return `${inode} ${size} ${mtimeNs} ${ctimeNs}${doubt}`;
}
