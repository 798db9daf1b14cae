import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import path from 'node:path';
import { nodeExec } from '../../../src/platform/node/processes/exec.ts';
import type { Exec } from '../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import { stateOf, take } from './providerContract.ts';
import { treeState } from './treeState.ts';

const { signal } = new AbortController();

/** Opens the same folder as another process would. */
type Open = (exec: Exec) => Promise<SnapshotProvider>;

/**
 * What several processes with snapshots of one folder in one place can rely on, with their steps in
 * a fixed order. Leaves nothing behind.
 */
export async function checkSharing(open: Open): Promise<void> {
  const other = await open(nodeExec);
  fs.writeFileSync(path.join(other.workspace, 'file'), 'content');
  const state = treeState(other.workspace);
  const first = await take(other, 'first');

  // While a process compares a snapshot that it will discard, other processes must not build on
  // that snapshot.
  const during = await interrupted(open, isTaking, async () => {
    const taken = await (await open(nodeExec)).take({ name: 'meanwhile', label: '', signal });
    assert.deepEqual([taken.ref, taken.isUnchanged], [first, true]);
  });
  const again = await during.take({ name: 'again', label: '', signal });
  assert.deepEqual([again.ref, again.isUnchanged], [first, true]);
  assert.deepEqual(await other.list(), [first]);

  // If the equal snapshot is removed after the comparison, the process keeps its own new one.
  const late = await interrupted(open, isComparing, () => other.remove([first]));
  const second = await take(late, 'second');
  assert.deepEqual(await other.list(), [second]);
  assert.deepEqual(await stateOf(other, second), state);

  // A process gets the equal snapshot of another process. It counts as a change if the process's
  // own last snapshot differs.
  fs.writeFileSync(path.join(other.workspace, 'file'), 'more content');
  const third = await take(late, 'third');
  const shared = await other.take({ name: 'shared', label: '', signal });
  assert.deepEqual([shared.ref, shared.isUnchanged], [third, false]);
  const unchanged = await other.take({ name: 'unchanged', label: '', signal });
  assert.deepEqual([unchanged.ref, unchanged.isUnchanged], [third, true]);

  await checkFailedComparison(open, [second, third]);
  await other.remove(await other.list());
  assert.deepEqual(await other.list(), []);
}

/**
 * After a failed comparison, files may have changed, so a new snapshot is stored. An aborted
 * request stores none.
 */
async function checkFailedComparison(open: Open, before: readonly string[]): Promise<void> {
  const failing: Exec = (program, args, options) =>
    isComparing(program, args)
      ? Promise.reject(new Error('No.'))
      : nodeExec(program, args, options);
  const provider = await open(failing);
  const kept = await take(provider, 'unclear');
  assert.deepEqual(await provider.list(), [...before, kept].sort());
  const stop = new AbortController();
  const aborted = await interrupted(open, isComparing, () => {
    stop.abort(new Error('stopped'));
    return Promise.reject(new Error('No.'));
  });
  const taking = aborted.take({ name: 'aborted', label: '', signal: stop.signal });
  await assert.rejects(taking, /stopped/);
  assert.deepEqual(await provider.list(), [...before, kept].sort());
}

function isTaking(_program: string, args: readonly string[]): boolean {
  return args.includes('snapshot') && !args.includes('list');
}

function isComparing(program: string, args: readonly string[]): boolean {
  return (
    /(^|\/)find$/.test(program) ||
    args.some((arg) => arg === 'send' || arg === 'diff' || arg.startsWith('written@'))
  );
}

/** Runs `act` right after the first such command has ended, before the process gets its result. */
async function interrupted(
  open: Open,
  isMeant: (program: string, args: readonly string[]) => boolean,
  act: () => Promise<void>,
): Promise<SnapshotProvider> {
  let isArmed = false;
  const provider = await open(async (program, args, options) => {
    const result = await nodeExec(program, args, options);
    if (!isArmed || !isMeant(program, args)) return result;
    isArmed = false;
    await act();
    return result;
  });
  // Armed only now, because opening runs the same commands.
  isArmed = true;
  return provider;
}
