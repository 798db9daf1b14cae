import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import {
  filesInTree,
  filesOnDisk,
  fingerprint,
  openReal,
  take,
} from '../../support/git/gitWorkspace.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { Random } from '../../support/random.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { slowTest } from '../../support/tiers.ts';
import { isSoak } from '../../support/soak.ts';
import { unmount } from '../../support/volumes/unmount.ts';

const taker = path.resolve(import.meta.dirname, '../../support/git/takeGitSnapshots.ts');
const KILLS = isSoak ? 200 : 12;
const MANY = isSoak ? 100_000 : 20_000;
const IGNORED = 150_000;
const NOBODY = 65534;

describe('git snapshots in trouble', () => {
  const folder = useTemporaryFolder();
  let workspace = '';
  let storage = '';
  let provider: SnapshotProvider | undefined;

  beforeEach(async () => {
    workspace = path.join(folder.path, 'w');
    storage = path.join(folder.path, 's');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    writeFileSync(path.join(workspace, 'a'), 'a');
    await userGit(workspace, 'add', '.');
    await userGit(workspace, 'commit', '-q', '-m', 'a');
    provider = undefined;
  });
  afterEach(() => provider?.dispose());

  it('report a full disk, stay intact, and continue when there is room', async function () {
    this.timeout(60_000);
    const disk = mkdtempSync(path.join(tmpdir(), 'ah-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]);
    try {
      provider = await openReal(workspace, path.join(disk, 's'));
      const first = await take(provider);
      const expected = await filesInTree(await provider.open(first.ref));
      const random = new Random(1);
      const noise = Buffer.from(Array.from({ length: 4_000_000 }, () => random.below(256)));
      writeFileSync(path.join(workspace, 'noise'), noise);
      for (const changed of [['noise'], undefined, undefined]) {
        await assert.rejects(take(provider, changed), { code: 'disk-full' });
        assert.deepEqual(await provider.list(), [first.ref]);
        assert.deepEqual(await filesInTree(await provider.open(first.ref)), expected);
      }
      rmSync(path.join(workspace, 'noise'));
      writeFileSync(path.join(workspace, 'b'), 'b');
      const second = await take(provider);
      assert.deepEqual(
        [...(await filesInTree(await provider.open(second.ref))).keys()],
        ['a', 'b'],
      );
    } finally {
      provider?.dispose();
      await unmount(disk);
      rmdirSync(disk);
    }
  });

  it('list files that an ordinary user may not read', async function () {
    this.timeout(60_000);
    mkdirSync(path.join(workspace, 'closed'));
    for (const name of ['secret', 'closed/inside', 'open'])
      writeFileSync(path.join(workspace, name), name);
    execFileSync('chown', ['-R', `${NOBODY}`, folder.path]);
    chmodSync(folder.path, 0o755);
    chownSync(path.join(workspace, 'secret'), 0, 0);
    chmodSync(path.join(workspace, 'secret'), 0o600);
    chmodSync(path.join(workspace, 'closed'), 0);
    const before = fingerprint(path.join(workspace, '.git'));
    const output = execFileSync(process.execPath, [taker, workspace, storage, 'once'], {
      env: { ...process.env, HOME: folder.path, AH_TEST_UID: `${NOBODY}` },
      encoding: 'utf8',
    });
    const { files, omissions } = JSON.parse(output) as { files: string[]; omissions: unknown };
    assert.deepEqual(files, ['a', 'open']);
    assert.deepEqual(omissions, [
      ['closed', 'unreadable'],
      ['secret', 'unreadable'],
    ]);
    assert.deepEqual(fingerprint(path.join(workspace, '.git')), before);
    // Repositories of other users are not trusted, as in git.
    await assert.rejects(openReal(workspace, path.join(folder.path, 'other')), {
      code: 'repository-not-trusted',
    });
  });

  it('list an unreadable folder, incrementally and by a full scan', function () {
    this.timeout(60_000);
    mkdirSync(path.join(workspace, 'd/sub'), { recursive: true });
    for (const name of ['d/f', 'd/sub/g']) writeFileSync(path.join(workspace, name), name);
    execFileSync('chown', ['-R', `${NOBODY}`, folder.path]);
    chmodSync(folder.path, 0o755);
    const [none, searchable] = [0, 0o311];
    const closings = [
      ...['d', 'd/f', 'd/sub', 'd/sub/g'].map((told) => ['d', none, told]),
      ['d', searchable, 'd/f'],
      ...['d', 'd/sub', 'd/sub/g'].map((told) => ['d/sub', none, told]),
    ];
    const output = execFileSync(
      process.execPath,
      [taker, workspace, storage, 'closing', JSON.stringify(closings)],
      {
        env: { ...process.env, HOME: folder.path, AH_TEST_UID: `${NOBODY}` },
        encoding: 'utf8',
      },
    );
    const states = JSON.parse(output) as [unknown, unknown][];
    for (const [at, [closed, mode, told]] of closings.entries()) {
      const files = closed === 'd' ? ['a'] : ['a', 'd/f'];
      const expected = { files, omissions: [[closed, 'unreadable']] };
      const what = `${closed} closed (${mode}), told ${told}`;
      assert.deepEqual(states[at], [expected, expected], what);
    }
  });

  slowTest(`are intact after each of ${KILLS} kills at any moment`, async function () {
    this.timeout(isSoak ? 3_600_000 : 120_000);
    const random = new Random(99);
    for (let number = 0; number < 60; number += 1)
      writeFileSync(path.join(workspace, `f${number}`), `${number}`);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = spawn(process.execPath, [taker, workspace, storage, 'forever'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const told = new Set<string>();
      child.stdout.on('data', (text: Buffer) => {
        for (const line of text.toString().split('\n')) if (line.includes('@')) told.add(line);
      });
      // The first processes are killed while they start, later ones in the middle of their work.
      await sleep(150 + random.below(1200));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.on('close', resolve));
      provider?.dispose();
      provider = await openReal(workspace, storage);
      const listed = await provider.list();
      for (const ref of told) assert.ok(listed.includes(ref), 'what was told exists');
      for (const ref of listed.slice(-3)) await filesInTree(await provider.open(ref));
      const { ref } = await take(provider);
      const found = await filesInTree(await provider.open(ref));
      assert.deepEqual(sorted(found), sorted(filesOnDisk(workspace)));
    }
    await userGit(path.join(storage, 'store.git'), 'fsck', '--full', '--no-dangling');
    await userGit(workspace, 'fsck', '--full', '--no-dangling');
    const left = readdirSync(storage).filter(
      (name) => !/^(lock\.\d+|store\.git|indexes|tmp|state\.json)$/.test(name),
    );
    assert.deepEqual(left, []);
    assert.equal(readdirSync(path.join(storage, 'indexes')).length, 1);
  });

  slowTest(`include ${MANY} untracked files, using little memory`, async function () {
    this.timeout(600_000);
    for (let number = 0; number < MANY; number += 1) {
      const name = path.join(workspace, `d${Math.floor(number / 500)}`);
      if (number % 500 === 0) mkdirSync(name);
      writeFileSync(path.join(name, `f${number}`), `file ${number}\n`);
    }
    // More than the maximum number of function arguments.
    mkdirSync(path.join(workspace, 'logs'));
    writeFileSync(path.join(workspace, '.gitignore'), '*.log\n');
    writeFileSync(path.join(workspace, 'logs/kept'), '');
    for (let number = 0; number < IGNORED; number += 1)
      writeFileSync(path.join(workspace, `logs/${number}.log`), '');
    provider = await openReal(workspace, storage);
    const before = process.memoryUsage.rss();
    const { ref, omissions } = await take(provider);
    assert.match(omissions.at(-1)?.detail ?? '', new RegExp(`^and ${IGNORED - 1000} more`));
    assert.ok(process.memoryUsage.rss() - before < 400 * 2 ** 20, 'memory stays bounded');
    const tree = await provider.open(ref);
    assert.equal((await tree.list('')).length, MANY / 500 + 3);
    assert.equal((await tree.list('d7')).length, 500);
    const content = await tree.read(`d7/f${7 * 500 + 123}`);
    assert.equal(Buffer.from(content).toString(), `file ${7 * 500 + 123}\n`);
    writeFileSync(path.join(workspace, 'd3/f1500'), 'changed');
    const second = await take(provider, ['d3/f1500']);
    const signal = new AbortController().signal;
    assert.deepEqual(await provider.diff(ref, second.ref, signal), [
      { path: 'd3/f1500', kind: 'modified' },
    ]);
  });

  it("work while the user's index is locked", async () => {
    writeFileSync(path.join(workspace, '.git/index.lock'), 'somebody');
    writeFileSync(path.join(workspace, 'b'), 'b');
    const before = fingerprint(path.join(workspace, '.git'));
    provider = await openReal(workspace, storage);
    const { ref } = await take(provider);
    assert.deepEqual([...(await filesInTree(await provider.open(ref))).keys()], ['a', 'b']);
    assert.deepEqual(fingerprint(path.join(workspace, '.git')), before);
  });
});

function sorted(files: Map<string, string>): [string, string][] {
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1));
}
