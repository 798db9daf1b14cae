import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../src/base/errors.ts';
import { nodeFiles } from '../../../src/platform/node/files/files.ts';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import {
  applyRestore,
  type RestoreResult,
} from '../../../src/snapshots/common/restore/applyRestore.ts';
import { restoreSteps } from '../../../src/snapshots/common/restore/restoreSteps.ts';
import { Random } from '../random.ts';
import { NOT_UTF8, ODD_NAMES, randomOperation } from './fileOperations.ts';
import { changesOf, treeState, type TreeState } from './treeState.ts';

const { signal } = new AbortController();

/**
 * What a provider with snapshots of a file system must do, given an empty workspace. Leaves no
 * snapshots.
 */
export async function checkContract(provider: SnapshotProvider, scratch: string): Promise<void> {
  const { workspace } = provider;
  fill(workspace);
  const first = await take(provider, 'first');
  assert.deepEqual(await provider.list(), [first]);
  await checkReading(provider, first);

  const again = await provider.take({ name: 'again', label: '', signal });
  assert.deepEqual([again.ref, again.isUnchanged], [first, true]);
  assert.deepEqual(await provider.list(), [first], 'the same state is kept once');

  const before = treeState(workspace);
  change(workspace);
  const after = treeState(workspace);
  const expected = changesOf(before, after);
  assert.ok(expected.length > 10);
  assert.deepEqual(await provider.diff(first, 'workspace', signal), expected);
  const second = await take(provider, 'second');
  assert.deepEqual(await provider.diff(first, second, signal), expected);
  assert.deepEqual(await provider.diff(second, first, signal), changesOf(after, before));
  assert.deepEqual(await stateOf(provider, first), before, 'the first is as it was');
  assert.deepEqual(await stateOf(provider, second), after);

  await checkClone(provider, first, before, path.join(scratch, 'clones/one'));
  await checkClonesAtOnce(provider, first, before, path.join(scratch, 'clones/wanted'));
  await checkAbort(provider, [first, second]);
  assert.ok((await provider.cost([first, second])) >= 0);
  await provider.remove([first]);
  await provider.remove([first]);
  await assert.rejects(provider.open(first), { code: 'snapshot-gone' });
  assert.deepEqual(await provider.list(), [second]);
  assert.deepEqual(await stateOf(provider, second), after, 'the other is still whole');
  assert.deepEqual(treeState(workspace), after, 'nothing in the workspace was changed');
  await provider.remove([second]);
  assert.deepEqual(await provider.list(), []);
}

/**
 * Does random work with some snapshots; in the end each of them must be what the workspace was
 * then.
 */
export async function checkRandomWork(
  provider: SnapshotProvider,
  seed: number,
  snapshots: number,
): Promise<void> {
  const random = new Random(seed);
  const kept: { ref: string; state: TreeState }[] = [];
  for (let index = 0; index < snapshots; index++) {
    const count = random.pick([0, 1, 5, 40]);
    for (let step = 0; step < count; step++) randomOperation(random, provider.workspace);
    const state = treeState(provider.workspace);
    const taken = await provider.take({ name: `s${index}`, label: 'random', signal });
    if (taken.isUnchanged) assert.deepEqual(kept.at(-1), { ref: taken.ref, state }, `seed ${seed}`);
    else kept.push({ ref: taken.ref, state });
    const other = random.pick(kept);
    const expected = changesOf(other.state, state);
    const what = `seed ${seed}, snapshot ${index}, against ${other.ref}`;
    assert.deepEqual(await provider.diff(other.ref, taken.ref, signal), expected, what);
    assert.deepEqual(await provider.diff(other.ref, 'workspace', signal), expected, what);
  }
  assert.deepEqual(await provider.list(), kept.map(({ ref }) => ref).sort());
  for (const { ref, state } of kept) assert.deepEqual(await stateOf(provider, ref), state, ref);
  await provider.remove(kept.map(({ ref }) => ref));
}

/**
 * A file with hard links changes under all of them, also when it was written through one outside.
 */
export async function checkHardLinks(provider: SnapshotProvider, outside: string): Promise<void> {
  const at = (name: string): string => path.join(provider.workspace, name);
  fs.writeFileSync(at('one'), 'before');
  fs.linkSync(at('one'), at('two'));
  fs.writeFileSync(at('three'), 'before');
  fs.linkSync(at('three'), path.join(outside, 'a name outside'));
  const first = await take(provider, 'linked');
  fs.writeFileSync(at('one'), 'after!');
  const second = await take(provider, 'written');
  assert.deepEqual(await provider.diff(first, second, signal), [
    { path: 'one', kind: 'modified' },
    { path: 'two', kind: 'modified' },
  ]);
  fs.writeFileSync(path.join(outside, 'a name outside'), 'after!');
  const third = await take(provider, 'outside');
  assert.deepEqual(await provider.diff(second, third, signal), [
    { path: 'three', kind: 'modified' },
  ]);
  fs.rmSync(at('one'));
  const fourth = await take(provider, 'unlinked');
  assert.deepEqual(await provider.diff(third, fourth, signal), [{ path: 'one', kind: 'deleted' }]);
  await provider.remove(await provider.list());
}

/**
 * A restore brings back files and folders with their modes. An existing repository is left as is, a
 * missing one is restored completely, and the restore can be undone.
 */
export async function checkRestore(provider: SnapshotProvider): Promise<void> {
  const { workspace } = provider;
  const at = (name: string): string => path.join(workspace, name);
  fill(workspace);
  for (const name of ['.git/refs/tags', 'sub/.git/refs'])
    fs.mkdirSync(at(name), { recursive: true });
  for (const name of ['.git/HEAD', 'sub/.git/HEAD', 'sub/file']) fs.writeFileSync(at(name), 'then');
  const wanted = treeState(workspace);
  const ref = await take(provider, 'wanted');
  change(workspace);
  fs.writeFileSync(at('.git/HEAD'), 'now');
  fs.writeFileSync(at('.git/index'), 'now');
  fs.rmdirSync(at('.git/refs/tags'));
  fs.rmSync(at('sub'), { recursive: true });
  for (const name of ['later/empty/er', 'made/.git/refs'])
    fs.mkdirSync(at(name), { recursive: true });
  fs.writeFileSync(at('made/file'), 'goes');
  const changed = treeState(workspace);
  const present = await take(provider, 'present');
  assert.deepEqual((await restore(provider, present, ref)).skipped, []);
  const isRepository = (name: string) => /^(\.git|made)(\/|$)/.test(name) && name !== 'made/file';
  const expected = new Map([...wanted].filter(([name]) => !isRepository(name)));
  for (const [name, state] of changed) if (isRepository(name)) expected.set(name, state);
  assert.deepEqual(sorted(treeState(workspace)), sorted(expected));
  const restored = await take(provider, 'restored');
  assert.deepEqual((await restore(provider, restored, present)).skipped, []);
  // The restored repository exists now, so it stays.
  const left = new Map([...wanted].filter(([name]) => /^sub(\/\.git|$)/.test(name)));
  assert.deepEqual(sorted(treeState(workspace)), sorted(new Map([...changed, ...left])));
  await provider.remove(await provider.list());
}

async function restore(
  provider: SnapshotProvider,
  from: string,
  to: string,
): Promise<RestoreResult> {
  const states = { present: await provider.open(from), target: await provider.open(to) };
  const steps = await restoreSteps(await provider.diff(from, to, signal), states, signal);
  return applyRestore(steps, {
    workspace: provider.workspace,
    files: nodeFiles,
    signal,
    ...states,
  });
}

function sorted(state: TreeState): [string, string][] {
  return [...state].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Unknown snapshots of another owner are neither garbage nor compared with: the owner may remove
 * them any time. Leaves nothing behind.
 * @param others stores snapshots of the same folder in the same place for another owner
 */
export async function checkOwners(mine: SnapshotProvider, others: SnapshotProvider): Promise<void> {
  fs.writeFileSync(path.join(mine.workspace, 'file'), 'content');
  const ref = await take(mine, 'first');
  const before = await stateOf(mine, ref);
  assert.deepEqual(await others.list(), []);
  await take(others, 'first');
  assert.deepEqual(await mine.list(), [ref]);
  await others.remove(await others.list());
  assert.deepEqual(await stateOf(mine, ref), before);
  await mine.remove([ref]);
}

export async function take(provider: SnapshotProvider, name: string): Promise<string> {
  const taken = await provider.take({ name, label: `the ${name}`, signal });
  assert.equal(taken.isUnchanged, false);
  return taken.ref;
}

export async function stateOf(provider: SnapshotProvider, ref: string): Promise<TreeState> {
  const { folder } = await provider.open(ref);
  return treeState(folder!);
}

function fill(workspace: string): void {
  fs.mkdirSync(path.join(workspace, 'src/deep/er'), { recursive: true });
  fs.mkdirSync(path.join(workspace, 'empty'));
  fs.mkdirSync(path.join(workspace, 'linked'));
  fs.writeFileSync(path.join(workspace, 'linked/file'), 'behind a link later\n');
  for (let index = 0; index < 20; index++) {
    fs.writeFileSync(path.join(workspace, `src/deep/f${index}`), `file ${index}\n`);
  }
  fs.writeFileSync(path.join(workspace, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  fs.writeFileSync(path.join(workspace, 'secret'), 'mine\n', { mode: 0o600 });
  fs.writeFileSync(path.join(workspace, 'large'), Buffer.alloc(3 * 1024 * 1024, 'x'));
  fs.symlinkSync('src/deep', path.join(workspace, 'link'));
  fs.symlinkSync('/nowhere/at/all', path.join(workspace, 'broken'));
  for (const name of [...ODD_NAMES, NOT_UTF8]) {
    fs.writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), name]), 'odd\n');
  }
}

function change(workspace: string): void {
  const at = (name: string): string => path.join(workspace, name);
  fs.appendFileSync(at('src/deep/f0'), 'more\n');
  fs.writeFileSync(at('src/deep/f1'), 'FILE 1\n');
  fs.utimesSync(at('src/deep/f2'), 1, 1);
  fs.rmSync(at('src/deep/f3'));
  fs.chmodSync(at('src/deep/f4'), 0o755);
  fs.renameSync(at('src/deep/f5'), at('src/moved'));
  fs.rmSync(at('src/deep/f6'));
  fs.symlinkSync('f7', at('src/deep/f6'));
  fs.rmSync(at('src/deep/f8'));
  fs.mkdirSync(at('src/deep/f8'));
  fs.writeFileSync(at('src/deep/f8/inside'), 'inside\n');
  fs.renameSync(at('src/deep'), at('src/renamed'));
  // A link in the place of a folder, to a folder with the same names.
  fs.renameSync(at('linked'), at('linked to'));
  fs.symlinkSync('linked to', at('linked'));
  fs.rmSync(at('link'));
  fs.symlinkSync('src/renamed', at('link'));
  fs.writeFileSync(at('large'), `${'x'.repeat(2 * 1024 * 1024)}y${'x'.repeat(1024 * 1024 - 1)}`);
  fs.rmdirSync(at('empty'));
  fs.writeFileSync(at('empty'), 'not a folder any more\n');
  fs.writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), NOT_UTF8]), 'still odd\n');
  fs.writeFileSync(at('new\nline'), 'changed\n');
}

async function checkReading(provider: SnapshotProvider, ref: string): Promise<void> {
  const tree = await provider.open(ref);
  const text = async (name: string): Promise<string> =>
    Buffer.from(await tree.read(name)).toString();
  assert.equal(await text('src/deep/f7'), 'file 7\n');
  assert.equal(await text('link'), 'src/deep');
  assert.equal(await text('new\nline'), 'odd\n');
  const stat = { kind: 'file', size: 10, isExecutable: true, mode: 0o755 };
  assert.deepEqual(await tree.stat('run.sh'), stat);
  assert.equal((await tree.stat('secret')).isExecutable, false);
  assert.deepEqual(await tree.list('src'), [{ name: 'deep', kind: 'folder' }]);
  assert.equal((await tree.list('')).length, fs.readdirSync(provider.workspace).length);
  const outside = [
    'nothing',
    '../run.sh',
    'link/f7',
    'run.sh/x',
    '/etc/passwd',
    'src//deep',
    'src/./deep',
  ];
  for (const name of outside) {
    await assert.rejects(tree.read(name), { code: 'not-in-snapshot' }, name);
  }
  assert.throws(() => fs.writeFileSync(path.join(tree.folder!, 'run.sh'), 'x'), { code: 'EROFS' });
}

async function checkClone(
  provider: SnapshotProvider,
  ref: string,
  state: TreeState,
  destination: string,
): Promise<void> {
  const request = { ref, destination, name: 'one', signal };
  const { workspace } = await provider.clone(request);
  assert.deepEqual(treeState(workspace), state);
  await assert.rejects(provider.clone(request), { code: 'destination-exists' });
  fs.writeFileSync(path.join(workspace, 'run.sh'), 'changed in the clone\n');
  fs.rmSync(path.join(workspace, 'src'), { recursive: true });
  assert.deepEqual(await stateOf(provider, ref), state, 'the snapshot does not change with it');
  const stranger = path.join(path.dirname(destination), 'stranger');
  fs.mkdirSync(stranger);
  await assert.rejects(provider.removeClone(stranger), { code: 'not-a-clone' });
  assert.ok(fs.existsSync(stranger));
  await provider.removeClone(destination);
  assert.equal(fs.lstatSync(destination, { throwIfNoEntry: false }), undefined);
  assert.ok(!fs.existsSync(workspace));
  await assert.rejects(provider.removeClone(destination), UserError);
}

/**
 * Of several processes that want one place, one gets it completely; the others fail because it is
 * taken.
 */
async function checkClonesAtOnce(
  provider: SnapshotProvider,
  ref: string,
  state: TreeState,
  destination: string,
): Promise<void> {
  const request = { ref, destination, name: 'wanted', signal };
  const answers = await Promise.allSettled([1, 2, 3].map(() => provider.clone(request)));
  const made = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  assert.equal(made.length, 1);
  for (const each of answers) {
    if (each.status === 'rejected')
      assert.equal((each.reason as UserError).code, 'destination-exists', String(each.reason));
  }
  assert.deepEqual(treeState(made[0]!.workspace), state);
  await provider.removeClone(destination);
  assert.equal(fs.lstatSync(destination, { throwIfNoEntry: false }), undefined);
  // The destination is free again, so a second clone succeeds.
  await provider.clone(request);
  await provider.removeClone(destination);
}

async function checkAbort(provider: SnapshotProvider, refs: readonly string[]): Promise<void> {
  const controller = new AbortController();
  const taking = provider.take({ name: 'aborted', label: '', signal: controller.signal });
  controller.abort();
  await assert.rejects(taking);
  assert.deepEqual(await provider.list(), [...refs].sort(), 'an aborted one leaves nothing');
}
