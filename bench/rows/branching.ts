import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { relaunch, type AgentMemory } from '../../src/branching/node/memory/agentMemory.ts';
import { BranchRegistry } from '../../src/branching/node/branchRegistry.ts';
import { knownMemory } from '../../src/branching/node/memory/knownMemory.ts';
import { branchLaunchSpec } from '../../src/branching/node/make/launchBranch.ts';
import { makeBranch } from '../../src/branching/node/make/makeBranch.ts';
import { planBranch } from '../../src/branching/node/plan/planBranch.ts';
import { removeBranch } from '../../src/branching/node/remove/removeBranch.ts';
import { RecorderClient } from '../../src/sessions/node/recorderClient.ts';
import { launchRecorder } from '../../src/sessions/node/recorderLauncher.ts';
import type { SessionFiles } from '../../src/snapshots/node/list/sessionFiles.ts';
import { AhSandbox, hostFile } from '../../test/support/ah.ts';
import { placeBranchable } from '../../test/support/branching/branchableSession.ts';
import { BtrfsDisk } from '../../test/support/volumes/btrfsDisk.ts';
import { median, timeMs, type Row } from '../row.ts';

const execFileAsync = promisify(execFile);
const FILES = Number(process.env['AH_BENCH_FILES']?.split(',')[0] ?? 20_000);
/** A checkout takes seconds, a clone milliseconds. */
const ROUNDS = { git: 5, btrfs: 21 };
const BUDGET = 1.5;
const { signal } = new AbortController();

/**
 * From the confirming click to a branch whose agent can start, compared with the bare command that
 * creates such a folder. The time for the plan, which the user reads before the click, is measured
 * separately.
 */
export async function branchingRows(): Promise<Row[]> {
  return [await gitRow(), await btrfsRow()];
}

async function gitRow(): Promise<Row> {
  const scratch = mkdtempSync(path.join(calmPlace(), 'ah-bench-branch-'));
  try {
    const workspace = path.join(scratch, 'project');
    fill(workspace);
    await git(workspace, 'init', '-q');
    await git(workspace, 'add', '.');
    await git(
      workspace,
      '-c',
      'gc.auto=0',
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.com',
      'commit',
      '-qm',
      'all',
    );
    // Packs all objects, as in a clone or in a repository that has been used for a while.
    await git(workspace, 'repack', '-adq');
    const bare = (target: string) => git(workspace, 'worktree', 'add', '--detach', '-q', target);
    return await measure(
      scratch,
      workspace,
      `git, ${FILES} files`,
      '`git worktree add`',
      bare,
      ROUNDS.git,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** In memory if possible: a disk that still frees removed files adds random delays. */
function calmPlace(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

async function btrfsRow(): Promise<Row> {
  const disk = new BtrfsDisk({ sizeMib: 2048 });
  try {
    const workspace = disk.subvolume('project');
    fill(workspace);
    const bare = (target: string) =>
      execFileAsync('btrfs', ['subvolume', 'snapshot', workspace, target]);
    const scratch = disk.folderOf('scratch');
    return await measure(
      scratch,
      workspace,
      `Btrfs, ${FILES} files`,
      'the bare clone',
      bare,
      ROUNDS.btrfs,
    );
  } finally {
    disk.dispose();
  }
}

async function measure(
  scratch: string,
  workspace: string,
  what: string,
  peer: string,
  bare: (target: string) => Promise<unknown>,
  rounds: number,
): Promise<Row> {
  const sandbox = new AhSandbox(path.join(scratch, 'data'));
  mkdirSync(sandbox.folder, { recursive: true });
  const change = () => writeFileSync(path.join(workspace, 'd0/f1'), 'changed\n');
  // An agent whose memory is restored. The agent's own start does not count.
  const agent = path.join(scratch, 'agent');
  writeFileSync(agent, '#!/bin/sh\npwd\n', { mode: 0o755 });
  const files = await placeBranchable(sandbox, workspace, {
    steps: [change],
    agent: 'claudeCode',
    cmd: [agent],
  });
  try {
    const home = path.join(scratch, 'home');
    const plain: Branching[] = [];
    const whole: Branching[] = [];
    const bares: number[] = [];
    // The first round is not measured: it only loads the files into memory.
    for (let round = 0; round <= rounds; round++) {
      const target = path.join(path.dirname(workspace), `bare${round}`);
      bares.push(await timeMs(() => bare(target)));
      plain.push(await branchOnce(sandbox, files, relaunch, home));
      // Again, because the disk may still free the removed branch.
      bares.push(await timeMs(() => bare(`${target}-more`)));
      whole.push(await branchOnce(sandbox, files, knownMemory, home));
    }
    const bareMs = median(bares.slice(2));
    const middle = (of: Branching[], time: keyof Branching) =>
      median(of.slice(1).map((each) => each[time]));
    const times = (ms: number) => `${ms.toFixed(1)} ms, ${(ms / bareMs).toFixed(2)} ×`;
    const [plainMs, wholeMs] = [middle(plain, 'madeMs'), middle(whole, 'madeMs')];
    return {
      what: `branch, from the click to files and memory, ${what}`,
      measured: `${times(wholeMs)} (${times(plainMs)} for an unknown program; ${peer} ${bareMs.toFixed(1)} ms); ${middle(whole, 'plannedMs').toFixed(1)} ms before, for the plan; ${middle(plain, 'startedMs').toFixed(0)} ms after, until the program runs recorded`,
      budget: `≤ ${BUDGET} × the bare command`,
      isWithin: Math.max(plainMs, wholeMs) <= bareMs * BUDGET,
    };
  } finally {
    await files.dispose();
    await sandbox.dispose();
  }
}

interface Branching {
  readonly plannedMs: number;
  readonly madeMs: number;
  readonly startedMs: number;
}

async function branchOnce(
  sandbox: AhSandbox,
  files: SessionFiles,
  memory: AgentMemory,
  home: string,
): Promise<Branching> {
  const registry = new BranchRegistry(path.join(sandbox.folder, 'branches'));
  const parts = { registry, memory };
  const at = { byte: 150 };
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' };
  const message = 'Go on.';
  const request = { at, message, carried: [], carryMode: 'copy', env, signal } as const;
  const startMs = performance.now();
  const plan = await planBranch(files, request, parts);
  const clickMs = performance.now();
  if (memory === knownMemory && plan.memory.method !== 'resume') {
    throw new Error(plan.memory.warnings.join(' '));
  }
  const record = await makeBranch(files, plan, parts, { signal, isWaiting: false });
  const madeMs = performance.now() - clickMs;
  const startedMs = await timeMs(async () => {
    const spec = branchLaunchSpec(record, {
      sessionsFolder: path.join(sandbox.folder, 'sessions'),
      env,
      brotliQ: 4,
      // The first snapshot is measured in the row `snapshots`.
      keepsFiles: false,
      waitForClient: true,
    });
    const { hostSocket } = await launchRecorder(hostFile, spec, { cols: 80, rows: 24 });
    const client = await RecorderClient.connect(hostSocket);
    await new Promise<void>((resolve, reject) => {
      client.onOutput(() => resolve());
      client
        .attach({
          from: 'start',
          answersQueries: false,
          lossless: true,
          windowBytes: 1 << 20,
          historyLines: 0,
        })
        .catch(reject);
    });
    client.dispose();
  });
  await sandbox.settled();
  await removeBranch(record, registry);
  return { plannedMs: clickMs - startMs, madeMs, startedMs };
}

function fill(workspace: string): void {
  for (let number = 0; number < FILES; number++) {
    const folder = path.join(workspace, `d${Math.floor(number / 50)}`);
    if (number % 50 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, `f${number % 50}`),
      `// file ${number}\n`.repeat(20 + (number % 50)),
    );
  }
}

function git(cwd: string, ...args: string[]) {
  return execFileAsync('git', args, { cwd, maxBuffer: 1 << 28 });
}
