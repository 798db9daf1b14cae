import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import fsNow from 'node:fs';
import fs from 'node:fs/promises';

/**
 * Creates a branch, and dies by SIGKILL before the n-th change of a file or folder or start of a program.
 * `node dyingBranch.ts SESSION NAME N`; prints the number of changes if it completes.
 */
const [, , sessionId = '', name = '', limit = ''] = process.argv;
let left = Infinity;
let count = 0;

function step(): void {
  count += 1;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

for (const each of ['mkdir', 'rename', 'rm', 'rmdir', 'unlink', 'symlink', 'chmod'] as const) {
  const original = fs[each] as (...args: unknown[]) => Promise<unknown>;
  Object.assign(fs, {
    [each]: (...args: unknown[]) => {
      step();
      return original(...args);
    },
  });
}
const open = fs.open;
fs.open = (file, flags, mode) => {
  const isWriting = typeof flags === 'string' ? /[wa+]/.test(flags) : false;
  if (isWriting) step();
  return open(file, flags, mode);
};
const writeFile = fs.writeFile;
fs.writeFile = (...args) => {
  step();
  return writeFile(...args);
};
for (const each of ['mkdirSync', 'renameSync', 'rmSync', 'symlinkSync', 'writeFileSync'] as const) {
  const original = fsNow[each] as (...args: unknown[]) => unknown;
  Object.assign(fsNow, {
    [each]: (...args: unknown[]) => {
      step();
      return original(...args);
    },
  });
}
const openSync = fsNow.openSync;
fsNow.openSync = (file, flags, mode) => {
  if (typeof flags === 'string' && /[wa+]/.test(flags)) step();
  return openSync(file, flags, mode);
};
const spawn = childProcess.spawn as (...args: unknown[]) => childProcess.ChildProcess;
Object.assign(childProcess, {
  spawn: (...args: unknown[]) => {
    step();
    return spawn(...args);
  },
});
syncBuiltinESMExports();

const { Catalogue } = await import('../../../src/sessions/node/catalogue.ts');
const { SessionFiles } = await import('../../../src/snapshots/node/list/sessionFiles.ts');
const { BranchRegistry } = await import('../../../src/branching/node/branchRegistry.ts');
const { knownMemory } = await import('../../../src/branching/node/memory/knownMemory.ts');
const { makeBranch } = await import('../../../src/branching/node/make/makeBranch.ts');
const { planBranch } = await import('../../../src/branching/node/plan/planBranch.ts');

const { signal } = new AbortController();
const files = await SessionFiles.open(await new Catalogue().get(sessionId));
const parts = { registry: new BranchRegistry(), memory: knownMemory };
const request = {
  ...({ at: { snapshotId: 1n }, carried: ['.env*'], carryMode: 'copy' } as const),
  name,
  message: 'Go on.',
  env: process.env,
  signal,
};
const plan = await planBranch(files, request, parts);
if (plan.memory.method !== 'resume') throw new Error(plan.memory.warnings.join(' '));
count = 0;
left = Number(limit);
await makeBranch(files, plan, parts, { signal, isWaiting: false });
left = Infinity;
await files.dispose();
process.stdout.write(String(count));
