import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Catalogue, type AllSessions } from '../../../src/sessions/node/catalogue.ts';
import { DeletedSessions } from '../../../src/sessions/node/deletedSessions.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { planPruning, type PrunePlan } from '../../../src/snapshots/node/prune/planPruning.ts';
import { prune } from '../../../src/snapshots/node/prune/pruneSnapshots.ts';
import { appendReplaced } from '../../../src/snapshots/node/restore/restoreWorkspace.ts';
import { SnapshotsFile } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import {
  DEFAULT_RETENTION,
  type RetentionPolicy,
} from '../../../src/snapshots/common/retention.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const { signal } = new AbortController();
const HOUR_MS = 3_600_000;
const refsOf = (held: readonly { readonly ref: string }[]) => held.map(({ ref }) => ref);

/** Runs an action right after the sessions were read for the n-th time. */
class CatalogueWithEvents extends Catalogue {
  #reads = 0;
  readonly #afterRead: (count: number) => Promise<void>;

  constructor(folder: string, afterRead: (count: number) => Promise<void>) {
    super(folder);
    this.#afterRead = afterRead;
  }

  override async listAll(): Promise<AllSessions> {
    const all = await super.listAll();
    await this.#afterRead(++this.#reads);
    return all;
  }
}

describe('pruning while sessions start and continue', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  const opened: SessionFiles[] = [];
  let workspace: string;

  beforeEach(async () => {
    workspace = path.join(place.path, 'project');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
  });
  afterEach(async () => {
    for (const files of opened.splice(0)) await files.dispose();
  });

  /** A session with a snapshot after each of these contents was written. */
  async function session(...words: string[]): Promise<SessionFiles> {
    const steps = words.map((word) => () => writeFileSync(path.join(workspace, 'word'), word));
    const files = await placeBranchable(sandbox.current, workspace, { steps });
    opened.push(files);
    return files;
  }
  /** A session that starts with the files that the last one left. */
  async function sessionWithoutChanges(): Promise<SessionFiles> {
    const files = await placeBranchable(sandbox.current, workspace, { steps: [() => {}] });
    opened.push(files);
    return files;
  }
  const plan = async (
    policy: Partial<RetentionPolicy> = {},
    catalogue: Catalogue = sandbox.current.catalogue,
  ): Promise<PrunePlan> => {
    const nowMs = Number(opened[0]!.snapshots.at(-1)!.tsNs / 1_000_000n) + HOUR_MS;
    const whole = { ...DEFAULT_RETENTION, ...policy };
    const sources = { catalogue, branches: new BranchRegistry() };
    const plans = await planPruning(sources, whole, (_, error) => assert.ifError(error), nowMs);
    assert.equal(plans.length, 1);
    return plans[0]!;
  };
  const pruneNow = async (found: PrunePlan) => {
    const done = await prune(found);
    found.dispose();
    return done;
  };
  const takeUnknown = async (files: SessionFiles, name: string) => {
    writeFileSync(path.join(workspace, 'word'), name);
    return (await (await files.provider()).take({ name, label: '', signal })).ref;
  };
  const assertWhole = async (files: SessionFiles) => {
    await files.refresh();
    for (const { id } of files.snapshots) await (await files.tree(id)).list('');
  };

  for (const reads of [1, 2]) {
    it(`keeps snapshots of a session that started after the sessions were read ${reads} times`, async () => {
      await session('one');
      let young: SessionFiles | undefined;
      const catalogue = new CatalogueWithEvents(sandbox.current.catalogue.folder, async (count) => {
        if (count === reads) young = await session('two', 'three');
      });
      const found = await plan({}, catalogue);
      assert.deepEqual(found.garbage, []);
      await pruneNow(found);
      await assertWhole(young!);
    });
  }

  it('keeps unknown snapshots that a session has used since', async () => {
    const old = await session('one');
    const ref = await takeUnknown(old, 'looked-at');
    const found = await plan();
    assert.deepEqual(refsOf(found.garbage), [ref]);
    const young = await sessionWithoutChanges();
    assert.equal(young.kept(1n).ref, ref, 'the same state is kept once');
    assert.deepEqual((await pruneNow(found)).garbage, []);
    await assertWhole(young);
  });

  it('keeps all unknown snapshots while a session runs that started since', async () => {
    const old = await session('one');
    const ref = await takeUnknown(old, 'left-behind');
    const found = await plan();
    writeFileSync(path.join(workspace, 'word'), 'another state than the one left behind');
    const options = { cwd: workspace, workspace };
    await sandbox.current.launch(['/bin/sh', '-c', 'sleep 60'], options);
    assert.deepEqual((await prune(found)).garbage, []);
    assert.ok((await found.providers[0]!.list()).includes(ref));
    await sandbox.current.killRecorders();
    assert.deepEqual(refsOf((await pruneNow(found)).garbage), [ref], 'none runs');
  });

  it('keeps expired snapshots that a session has used since', async () => {
    const old = await session('one', 'two', 'three');
    const found = await plan({ maxCount: 1 });
    assert.deepEqual(
      found.expired.map(({ snapshot }) => snapshot.id),
      [1n, 2n],
    );
    const young = await session('four');
    const lines = await SnapshotsFile.open(young.session.folder);
    await lines.append({ ...young.find(1n), id: 2n, files: old.kept(1n) });
    await lines.close();
    const done = await pruneNow(found);
    assert.deepEqual(
      done.expired.map(({ snapshot }) => snapshot.id),
      [2n],
    );
    await assertWhole(young);
    await old.refresh();
    assert.deepEqual(
      old.snapshots.map(({ files }) => files.state),
      ['kept', 'removed', 'kept'],
    );
  });

  for (const [limit, policy] of Object.entries({
    age: { maxAgeMs: HOUR_MS / 2 },
    count: { maxCount: 1 },
    size: { maxBytes: 0 },
  }))
    it(`keeps the last snapshot of a session that the next one started with, by ${limit}`, async () => {
      const before = await session('one', 'two');
      const write = () => writeFileSync(path.join(workspace, 'word'), 'three');
      const options = { steps: [() => {}, () => {}, write], isSilent: true };
      const after = await placeBranchable(sandbox.current, workspace, options);
      opened.push(after);
      assert.equal(after.kept(2n).ref, before.kept(2n).ref, 'the same state is kept once');
      assert.ok(after.find(2n).tsNs > before.find(2n).tsNs);
      const done = await pruneNow(await plan(policy));
      assert.deepEqual(
        done.expired.map(({ snapshot, because }) => [snapshot.sessionId, snapshot.id, because]),
        [[before.session.meta.id, 1n, limit]],
      );
      await before.refresh();
      await (await before.tree(2n)).list('');
      await assertWhole(after);
    });

  it('keeps the snapshot that undoes a restore, even if a moment shares it', async () => {
    const files = await session('one', 'two', 'three', 'four');
    const { ref } = files.kept(2n);
    const { tsNs } = files.find(4n);
    await appendReplaced(files, { tsNs, provider: 'git', ref, label: 'a test', omissions: [] });
    const done = await pruneNow(await plan({ maxCount: 1 }));
    assert.deepEqual(
      done.expired.map(({ snapshot }) => snapshot.id),
      [1n, 3n],
    );
    await (await (await files.provider()).open(ref)).list('');
    const later = await plan({ maxCount: 1, maxAgeMs: HOUR_MS / 2 });
    assert.deepEqual(
      later.expired.map(({ snapshot }) => snapshot.ref),
      [ref],
      'not for good',
    );
    later.dispose();
  });

  it('keeps snapshots of a deleted session as long as it can be restored', async () => {
    await session('one');
    const files = await session('two', 'three');
    const deleted = new DeletedSessions(sandbox.current.catalogue);
    await deleted.add(files.session);
    const found = await plan();
    assert.deepEqual(found.garbage, []);
    found.dispose();
    await deleted.purge(files.session.meta.id);
    const after = await plan();
    assert.equal(after.garbage.length, 2);
    after.dispose();
  });

  it("keeps all unknown snapshots while a session can't be read", async () => {
    const files = await session('one');
    const damaged = await session('two', 'three');
    const meta = path.join(damaged.session.folder, 'session.meta.json');
    writeFileSync(meta, '{');
    const found = await plan();
    assert.deepEqual(found.garbage, []);
    found.dispose();
    await assertWhole(files);
  });
});
