import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeExec } from '../../src/platform/node/processes/exec.ts';
import { nodeProcesses } from '../../src/platform/node/processes/processes.ts';
import { nodeFiles } from '../../src/platform/node/files/files.ts';
import { SystemClock } from '../../src/platform/node/systemClock.ts';
import type { SnapshotProvider } from '../../src/snapshots/common/provider.ts';
import { detectBtrfs } from '../../src/snapshots/btrfs/detectBtrfs.ts';
import { BtrfsDisk } from '../../test/support/volumes/btrfsDisk.ts';
import { median, timeMs, type Row } from '../row.ts';

const BUDGET_MS = 50;
const FOLDERS = 1400;
const FILES_PER_FOLDER = 50;
const FILE_COUNT = FOLDERS * FILES_PER_FOLDER;
const ROUNDS = 11;
const { signal } = new AbortController();

/**
 * A snapshot after a change of three of 70,000 files, and its clone, compared with a reflink copy.
 */
export async function btrfsSnapshotRows(): Promise<Row[]> {
  const disk = new BtrfsDisk({ sizeMib: 4096 });
  try {
    const workspace = disk.folderOf('home/project');
    fill(workspace);
    const provider = await openProvider(workspace, disk.folderOf('home/data'));
    const snapshots: number[] = [];
    const bare: number[] = [];
    const clones: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const folder of [1, 500, 1300]) {
        writeFileSync(path.join(workspace, `d${folder}/f7`), `round ${round}`);
      }
      let ref = '';
      snapshots.push(
        await timeMs(async () => {
          ({ ref } = await provider.take({ name: `s${round}`, label: '', signal }));
        }),
      );
      const bareTarget = path.join(disk.folder, `bare${round}`);
      bare.push(
        await timeMs(() => nodeExec('btrfs', snapshotOf(disk.folder, bareTarget), { cwd: '/' })),
      );
      const destination = path.join(disk.folder, `clone${round}`);
      const request = { ref, destination, name: `c${round}`, signal };
      clones.push(await timeMs(() => provider.clone(request)));
    }
    const copy = path.join(disk.folder, 'copy');
    const copyMs = await timeMs(() => {
      execFileSync('cp', ['-a', '--reflink=always', workspace, copy]);
      return Promise.resolve();
    });
    rmSync(copy, { recursive: true });
    return [
      row(`Btrfs snapshot, ${FILE_COUNT} files, 3 changed`, snapshots, bare, copyMs),
      row('Btrfs writable clone of it', clones, bare, copyMs),
    ];
  } finally {
    disk.dispose();
  }
}

function snapshotOf(source: string, destination: string): string[] {
  return ['subvolume', 'snapshot', '-r', source, destination];
}

/** @param bareMs time of the bare command, which depends on the load of the disk */
function row(
  what: string,
  timesMs: readonly number[],
  bareMs: readonly number[],
  copyMs: number,
): Row {
  const ms = median(timesMs);
  const bare = `the bare command ${median(bareMs).toFixed(0)} ms`;
  const copy = `\`cp -a --reflink=always\` ${copyMs.toFixed(0)} ms, ${Math.round(copyMs / ms)} ×`;
  return {
    what,
    measured: `${ms.toFixed(0)} ms, worst ${Math.max(...timesMs).toFixed(0)} (${bare}; ${copy})`,
    budget: `≤ ${BUDGET_MS} ms`,
    isWithin: ms <= BUDGET_MS,
  };
}

function fill(workspace: string): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const place = path.join(workspace, `d${folder}`);
    mkdirSync(place);
    for (let file = 0; file < FILES_PER_FOLDER; file++) {
      writeFileSync(path.join(place, `f${file}`), `${folder} ${file}\n`.repeat(40));
    }
  }
  execFileSync('sync');
}

async function openProvider(workspace: string, privateFolder: string): Promise<SnapshotProvider> {
  const ports = {
    exec: nodeExec,
    files: nodeFiles,
    processes: nodeProcesses,
    clock: new SystemClock(),
  };
  const detection = await detectBtrfs({ workspace, privateFolder, ...ports });
  if ('refusal' in detection) throw new Error(detection.refusal);
  return detection.provider;
}
