import assert from 'node:assert/strict';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { nodeFiles } from '../../../../src/platform/node/files/files.ts';
import type {
  SnapshotProvider,
  SnapshotTree,
  TakenSnapshot,
} from '../../../../src/snapshots/common/provider.ts';
import { isInside } from '../../../../src/snapshots/common/pathBelow.ts';
import { inParallel } from '../../../../src/snapshots/common/inParallel.ts';
import { readChunks } from '../../../../src/snapshots/git/index/indexState.ts';
import { ObjectStore } from '../../../../src/snapshots/git/objects/objectStore.ts';
import { readRecord } from '../../../../src/snapshots/git/objects/gitSnapshotRecord.ts';
import { applyRestore } from '../../../../src/snapshots/common/restore/applyRestore.ts';
import { restoreSteps } from '../../../../src/snapshots/common/restore/restoreSteps.ts';
import {
  filesInTree,
  filesOnDisk,
  fingerprint,
  openReal,
  realPorts,
  take,
  userGit,
  userGitWith,
} from '../../../support/git/gitWorkspace.ts';
import { Random } from '../../../support/random.ts';
import { RandomWorkspace } from '../../../support/git/randomWorkspace.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { isSoak } from '../../../support/soak.ts';

const SEED = Number(process.env['AH_SEED'] ?? (isSoak ? Date.now() % 1_000_000 : 4711));
const SNAPSHOTS = Number(process.env['AH_SNAPSHOT_COUNT'] ?? (isSoak ? 3000 : 50));
/** Snapshots per workspace; then a new one is begun. */
const PER_WORKSPACE = 250;
/** Workspaces to test at a time: their git processes use several cores. */
const LANES = SNAPSHOTS > PER_WORKSPACE ? availableParallelism() : 1;

describe('git snapshots: random changes of a repository', () => {
  const folder = useTemporaryFolder();

  it(`fulfil the contract for ${SNAPSHOTS} snapshots, seed ${SEED}`, async function () {
    this.timeout(Math.max(180_000, SNAPSHOTS * 4000));
    const counts = Array.from({ length: Math.ceil(SNAPSHOTS / PER_WORKSPACE) }, (_, number) =>
      Math.min(PER_WORKSPACE, SNAPSHOTS - number * PER_WORKSPACE),
    );
    let done = 0;
    await inParallel([...counts.entries()], LANES, async ([number, count]) => {
      await tryOne(path.join(folder.path, String(number)), SEED + number, count);
      done += count;
      const megabytes = Math.round(process.memoryUsage.rss() / 2 ** 20);
      if (counts.length > 1) console.log(`      ${done} snapshots, ${megabytes} MB`);
    });
  });
});

/** A seed per workspace, so that a failure in one of them can be reproduced alone. */
async function tryOne(folder: string, seed: number, count: number): Promise<void> {
  const trial = new Trial(folder, new Random(seed));
  try {
    await trial.run(count);
  } catch (error) {
    const last = trial.workspace.log.slice(-40).join('\n  ');
    const omissions = JSON.stringify(trial.omissions);
    const again = `AH_SEED=${seed} AH_SNAPSHOT_COUNT=${count}`;
    throw new Error(`${again}. Left out: ${omissions}. Last:\n  ${last}`, { cause: error });
  } finally {
    trial.dispose();
  }
  rmSync(folder, { recursive: true });
}

class Trial {
  readonly workspace: RandomWorkspace;
  readonly #folder: string;
  readonly #random: Random;
  readonly #kept = new Map<string, Map<string, string>>();
  omissions: TakenSnapshot['omissions'] = [];
  #provider: SnapshotProvider | undefined;
  #store: ObjectStore | undefined;

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
    this.workspace = new RandomWorkspace(
      path.join(folder, 'work'),
      path.join(folder, 'outside'),
      random,
    );
  }

  dispose(): void {
    this.#provider?.dispose();
    this.#store?.dispose();
  }

  async run(count: number): Promise<void> {
    await this.workspace.start();
    const storage = path.join(this.#folder, 'storage');
    for (let number = 1; number <= count; number += 1) {
      if (number % 60 === 1) {
        this.#provider?.dispose();
        this.#provider = await openReal(this.workspace.folder, storage);
      }
      this.#store ??= await ObjectStore.open(
        { ...realPorts(), scratch: path.join(storage, 'tmp') },
        storage,
        'sha1',
      );
      for (let steps = 1 + this.#random.below(5); steps > 0; steps -= 1)
        await this.workspace.step();
      await this.#snapshot(number);
      if (number % 11 === 0) await this.#checkRestore();
      if (number % 50 === 0) await this.#checkOld();
      if (number % 90 === 0) await this.#removeSome();
    }
    await this.#checkOld();
  }

  async #snapshot(number: number): Promise<void> {
    const touched = this.workspace.takeTouched();
    const changed = touched && this.#random.chance(70) ? touched : undefined;
    const before = this.#gitFolders().map(fingerprint);
    const taken = await take(this.#provider!, changed);
    assert.deepEqual(this.#gitFolders().map(fingerprint), before, 'the repository was touched');
    this.omissions = taken.omissions;
    const expected = this.#expected(taken);
    const found = await filesInTree(await this.#provider!.open(taken.ref));
    assert.deepEqual(
      sorted(found),
      sorted(expected),
      changed ? `reported ${changed.join()}` : 'scan',
    );
    this.#kept.set(taken.ref, expected);
    await this.#checkState(taken.ref);
    if (taken.isPartial && this.#random.chance(30)) await this.#checkPartial(taken);
    if (number % 7 === 0) await this.#checkIgnored(taken);
    if (number % 15 === 0) await this.#checkClone(taken.ref);
  }

  /** The files on disk without the listed omissions, which have only these reasons. */
  #expected({ omissions }: TakenSnapshot): Map<string, string> {
    const left = new Set(omissions.map(({ path: name }) => name));
    for (const { reason } of omissions) assert.equal(reason, 'ignored');
    return filesOnDisk(this.workspace.folder, (name) => left.has(name));
  }

  /** An incremental snapshot equals a full scan: the same files, empty folders and omissions. */
  async #checkPartial(taken: TakenSnapshot): Promise<void> {
    const scan = await take(this.#provider!);
    this.#kept.set(scan.ref, this.#expected(scan));
    const names = [...filesOnDisk(this.workspace.folder).keys()];
    const placesOf = async ({ ref, omissions }: TakenSnapshot) => {
      const tree = await this.#provider!.open(ref);
      // A folder may be listed as a whole or by its reported files, which means the same.
      const leftOut = new Set(omissions.map(({ path: name }) => name));
      return {
        files: [...(await filesInTree(tree)).keys()],
        empty: await emptyFoldersIn(tree),
        leftOut: names.filter((name) => isInside(leftOut, name)),
      };
    };
    assert.deepEqual(await placesOf(taken), await placesOf(scan), 'partial and scanned');
  }

  /** Whatever is listed as ignored is ignored by the user's git, too. */
  async #checkIgnored({ omissions }: TakenSnapshot): Promise<void> {
    for (const { path: name } of omissions.slice(0, 3)) {
      const inside = path.dirname(path.join(this.workspace.folder, name));
      const base = path.basename(name);
      const args = ['--literal-pathspecs', 'ls-files', '-o', '--exclude-standard', '--', base];
      assert.equal(await userGit(inside, ...args), '', `${name} is not ignored`);
    }
  }

  /** Checks that HEAD and index are those of the repository. */
  async #checkState(ref: string): Promise<void> {
    const { folder } = this.workspace;
    const record = await readRecord(this.#store!, ref);
    const state = record.repositories.find((one) => one.path === '')!;
    const head = await userGit(folder, 'rev-parse', '-q', '--verify', 'HEAD').catch(
      () => undefined,
    );
    assert.equal(state.head.commit, head?.trim());
    const branch = /^ref: (.*)$/m.exec(readFileSync(path.join(folder, '.git/HEAD'), 'utf8'));
    assert.equal(state.head.ref, branch?.[1]);
    const index = path.join(folder, '.git/index');
    if (!existsSync(index)) {
      assert.equal(state.index, undefined);
      return;
    }
    const kept = await readChunks(this.#store!, state.index!.chunks);
    if (!readFileSync(index).equals(kept)) await this.#checkIndex(kept);
    assert.deepEqual(state.index!.missing, []);
    const isMerging = existsSync(path.join(folder, '.git/MERGE_HEAD'));
    if (isMerging) assert.ok(state.operation, 'the merge is not mentioned');
  }

  /** Other bytes may mean the same: times are not part of an index's meaning. */
  async #checkIndex(kept: Uint8Array): Promise<void> {
    const { folder } = this.workspace;
    const copy = path.join(folder, '.git/copy-of-index');
    writeFileSync(copy, kept);
    const entries = ['--no-optional-locks', 'ls-files', '-s', '-v', '-z'];
    const said = await userGitWith({ GIT_INDEX_FILE: copy }, folder, entries);
    rmSync(copy);
    assert.equal(said, await userGit(folder, ...entries));
  }

  /**
   * Restores an old snapshot: the files are those of then, no file outside of snapshots is deleted,
   * and no repository is touched.
   */
  async #checkRestore(): Promise<void> {
    const { folder } = this.workspace;
    const provider = this.#provider!;
    const { signal } = new AbortController();
    const [ref, wanted] = this.#random.pick([...this.#kept]);
    const before = await take(provider);
    const present = this.#expected(before);
    this.#kept.set(before.ref, present);
    const onDisk = filesOnDisk(folder);
    const unknown = [...onDisk].filter(([name]) => !present.has(name));
    const git = this.#gitFolders().map(fingerprint);
    const states = { present: await provider.open(before.ref), target: await provider.open(ref) };
    const changes = await provider.diff(before.ref, ref, signal);
    const steps = await restoreSteps(changes, states, signal);
    const parts = { workspace: folder, files: nodeFiles, signal, ...states };
    const { done, skipped } = await applyRestore(steps, parts);
    this.workspace.log.push(`restore: ${done.length} done, ${skipped.length} left alone`);
    this.workspace.forgetTouched();
    assert.deepEqual(this.#gitFolders().map(fingerprint), git, 'the repository was touched');
    const after = filesOnDisk(folder);
    for (const [name, content] of unknown)
      assert.equal(after.get(name), content, `${name} was known to no snapshot`);
    const leftAlone = new Set(skipped.map(({ step }) => step.path));
    for (const { path: name } of changes)
      if (!steps.some((step) => step.path === name)) leftAlone.add(name);
    for (const name of new Set([...present.keys(), ...wanted.keys()])) {
      const expected = leftAlone.has(name) ? onDisk.get(name) : wanted.get(name);
      assert.equal(after.get(name), expected, `${name} after a restore`);
    }
    for (const { step, reason } of skipped)
      assert.match(
        reason,
        /is no longer a folder|not empty|is not in any snapshot/,
        `${step.path}: ${reason}`,
      );
    // Not always empty: files that are in no snapshot stay in it.
    const isFolderThere = (name: string) =>
      lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.isDirectory() ?? false;
    for (const name of await emptyFoldersIn(states.target))
      if (!leftAlone.has(name)) assert.ok(isFolderThere(name), `the empty folder ${name} is back`);
    for (const { path: name, kind, isFolder } of done)
      if (isFolder && kind === 'delete') assert.ok(!isFolderThere(name), `${name} is gone`);
  }

  async #checkClone(ref: string): Promise<void> {
    const destination = path.join(this.#folder, 'clone');
    const entries = ['--no-optional-locks', 'ls-files', '-s', '-v', '-z'];
    const index = await userGit(this.workspace.folder, ...entries);
    const before = this.#gitFolders().map(fingerprint);
    const signal = new AbortController().signal;
    const clone = await this.#provider!.clone({ ref, destination, name: 'clone', signal });
    assert.deepEqual(sorted(filesOnDisk(clone.workspace)), sorted(this.#kept.get(ref)!));
    assert.equal(await userGit(clone.workspace, ...entries), index);
    await this.#provider!.removeClone(destination);
    assert.deepEqual(this.#gitFolders().map(fingerprint), before, 'the clone left something');
  }

  /** A comparison with the current files adds unreferenced objects to the store. */
  async #checkDiff(): Promise<void> {
    await this.workspace.step();
    this.workspace.takeTouched();
    const [ref, before] = this.#random.pick([...this.#kept]);
    const { signal } = new AbortController();
    const changes = await this.#provider!.diff(ref, 'workspace', signal);
    const taken = await take(this.#provider!);
    const after = this.#expected(taken);
    this.#kept.set(taken.ref, after);
    const names = new Set([...before.keys(), ...after.keys()]);
    const changed = [...names].filter((name) => before.get(name) !== after.get(name)).sort();
    assert.deepEqual(changes.map(({ path: name }) => name).sort(), changed);
    await this.#provider!.diff(ref, 'workspace', signal);
  }

  /** After the user collects garbage, both stores are valid and the snapshots complete. */
  async #checkOld(): Promise<void> {
    rmSync(path.join(this.workspace.folder, '.git/index.lock'), { force: true });
    await userGit(this.workspace.folder, 'reflog', 'expire', '--expire=now', '--all');
    await userGit(this.workspace.folder, 'gc', '-q', '--prune=now');
    await userGit(this.workspace.folder, 'fsck', '--full', '--no-dangling');
    await userGit(path.join(this.#folder, 'storage/store.git'), 'fsck', '--full', '--no-dangling');
    for (let number = 0; number < 5; number += 1) {
      const [ref, expected] = this.#random.pick([...this.#kept]);
      const found = await filesInTree(await this.#provider!.open(ref));
      assert.deepEqual(sorted(found), sorted(expected), `${ref} is not what it was`);
    }
  }

  async #removeSome(): Promise<void> {
    await this.#checkDiff();
    const refs = [...this.#kept.keys()].filter(() => this.#random.chance(60));
    await this.#provider!.remove(refs);
    for (const ref of refs) this.#kept.delete(ref);
    assert.deepEqual([...(await this.#provider!.list())].sort(), [...this.#kept.keys()].sort());
    if (this.#kept.size > 0) await this.#checkOld();
  }

  /** All folders named `.git` in the workspace. */
  #gitFolders(): string[] {
    const found: string[] = [];
    const visit = (folder: string): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (!entry.isDirectory()) continue;
        const full = path.join(folder, entry.name);
        if (entry.name === '.git') found.push(full);
        else visit(full);
      }
    };
    visit(this.workspace.folder);
    return found;
  }
}

async function emptyFoldersIn(tree: SnapshotTree, folder = ''): Promise<string[]> {
  const entries = await tree.list(folder);
  if (entries.length === 0 && folder !== '') return [folder];
  const found: string[] = [];
  for (const { name, kind } of entries)
    if (kind === 'folder')
      found.push(...(await emptyFoldersIn(tree, folder === '' ? name : `${folder}/${name}`)));
  return found;
}

function sorted(files: Map<string, string>): [string, string][] {
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1));
}
