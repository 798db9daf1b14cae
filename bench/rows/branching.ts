import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { relaunch, type AgentMemory } from '../../src/node/branching/agentMemory.ts';
import { BranchRegistry } from '../../src/node/branching/branchRegistry.ts';
import { knownMemory } from '../../src/node/branching/knownMemory.ts';
import { branchLaunchSpec } from '../../src/node/branching/launchBranch.ts';
import { makeBranch } from '../../src/node/branching/makeBranch.ts';
import { planBranch } from '../../src/node/branching/planBranch.ts';
import { removeBranch } from '../../src/node/branching/removeBranch.ts';
import { RecorderClient } from '../../src/node/sessions/recorderClient.ts';
import { launchRecorder } from '../../src/node/sessions/recorderLauncher.ts';
import type { SessionFiles } from '../../src/node/sessions/sessionFiles.ts';
import { AhSandbox, hostFile } from '../../test/support/ah.ts';
import { placeBranchable } from '../../test/support/branchableSession.ts';
import { BtrfsDisk } from '../../test/support/volumes/btrfsDisk.ts';
import { median, timeMs, type Row } from '../row.ts';

const execFileAsync = promisify(execFile);
const FILES = Number(process.env['AH_BENCH_FILES']?.split(',')[0] ?? 20_000);
const ROUNDS = 5;
const BUDGET = 1.5;
const { signal } = new AbortController();

/** From the click to a branch with its agent running, beside the bare command that makes such a folder. */
export async function branchingRows(): Promise<Row[]> {
  return [await gitRow(), await btrfsRow()];
}

async function gitRow(): Promise<Row> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'ah-bench-branch-'));
  try {
    const workspace = path.join(scratch, 'project');
    fill(workspace);
    await git(workspace, 'init', '-q');
    await git(workspace, 'add', '.');
    await git(
      workspace,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.com',
      'commit',
      '-qm',
      'all',
    );
    const bare = (target: string) => git(workspace, 'worktree', 'add', '--detach', '-q', target);
    return await measure(scratch, workspace, `git, ${FILES} files`, '`git worktree add`', bare);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function btrfsRow(): Promise<Row> {
  const disk = new BtrfsDisk({ sizeMib: 2048 });
  try {
    const workspace = disk.subvolume('project');
    fill(workspace);
    const bare = (target: string) =>
      execFileAsync('btrfs', ['subvolume', 'snapshot', workspace, target]);
    const scratch = disk.folderOf('scratch');
    return await measure(scratch, workspace, `Btrfs, ${FILES} files`, 'the bare clone', bare);
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
): Promise<Row> {
  const sandbox = new AhSandbox(path.join(scratch, 'data'));
  mkdirSync(sandbox.folder, { recursive: true });
  const change = () => writeFileSync(path.join(workspace, 'd0/f1'), 'changed\n');
  // An agent that has a memory, which goes with the branch; how long it takes to start is its own affair.
  const agent = path.join(scratch, 'agent');
  writeFileSync(agent, '#!/bin/sh\npwd\n', { mode: 0o755 });
  const files = await placeBranchable(sandbox, workspace, {
    ...{ steps: [change], agent: 'claudeCode', cmd: [agent] },
  });
  try {
    const home = path.join(scratch, 'home');
    const branches: number[] = [];
    const whole: number[] = [];
    const starts: number[] = [];
    const bares: number[] = [];
    // One of each first, so that both find the files in memory.
    for (let round = 0; round <= ROUNDS; round++) {
      const target = path.join(path.dirname(workspace), `bare${round}`);
      bares.push(await timeMs(() => bare(target)));
      const { madeMs, startedMs } = await branchOnce(sandbox, files, relaunch, home);
      branches.push(madeMs);
      starts.push(startedMs);
    }
    for (let round = 0; round <= ROUNDS; round++) {
      // As before: right after one is removed, a disk is still at that.
      await bare(path.join(path.dirname(workspace), `more${round}`));
      whole.push((await branchOnce(sandbox, files, knownMemory, home)).madeMs);
    }
    const [branchMs, bareMs] = [median(branches.slice(1)), median(bares.slice(1))];
    const [wholeMs, startMs] = [median(whole.slice(1)), median(starts.slice(1))];
    return {
      what: `branch from a click to its files, ${what}`,
      measured: `${branchMs.toFixed(1)} ms (${peer} ${bareMs.toFixed(1)} ms, ${(branchMs / bareMs).toFixed(2)} ×), ${wholeMs.toFixed(1)} ms with the memory of an agent; then ${startMs.toFixed(0)} ms to a running, recorded program`,
      budget: `≤ ${BUDGET} × the bare command`,
      isWithin: branchMs <= bareMs * BUDGET,
    };
  } finally {
    await files.dispose();
    await sandbox.dispose();
  }
}

async function branchOnce(
  sandbox: AhSandbox,
  files: SessionFiles,
  memory: AgentMemory,
  home: string,
): Promise<{ madeMs: number; startedMs: number }> {
  const registry = new BranchRegistry(path.join(sandbox.folder, 'branches'));
  const parts = { registry, memory };
  const at = { kind: 'byte', byteOffset: 150 } as const;
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' };
  const message = 'Go on.';
  const request = { at, message, carried: [], carryMode: 'copy', env, signal } as const;
  const startMs = performance.now();
  const plan = await planBranch(files, request, parts);
  if (memory === knownMemory && plan.memory.method !== 'resume') {
    throw new Error(plan.memory.warnings.join(' '));
  }
  const record = await makeBranch(files, plan, parts, { signal, isWaiting: false });
  const madeMs = performance.now() - startMs;
  const startedMs = await timeMs(async () => {
    const spec = branchLaunchSpec(record, {
      sessionsFolder: path.join(sandbox.folder, 'sessions'),
      ...{ env, cols: 80, rows: 24, brotliQ: 4 },
      // Keeping the first snapshot is the session's own work, and has a row of its own.
      ...{ keepsFiles: false, waitForClient: true },
    });
    const { hostSocket } = await launchRecorder(hostFile, spec);
    const client = await RecorderClient.connect(hostSocket);
    await new Promise<void>((resolve, reject) => {
      client.onOutput(() => resolve());
      client
        .attach({
          ...{ from: 'start', answersQueries: false, lossless: true },
          ...{ windowBytes: 1 << 20, historyLines: 0 },
        })
        .catch(reject);
    });
    client.dispose();
  });
  await sandbox.settled();
  await removeBranch(record, registry);
  return { madeMs, startedMs };
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
