import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { nodeExec } from '../../../src/platform/node/processes/exec.ts';
import type { Exec } from '../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';
import { openBtrfs } from '../../support/volumes/openBtrfs.ts';

const { signal } = new AbortController();
const LARGE = 20_000_000;
/** The size of files that count, and of a small change. */
const LITTLE = 200_000;

describe('the cost of snapshots on Btrfs', function () {
  this.timeout(60_000);
  const disk = useBtrfsDisk({ sizeMib: 512, mountOptions: 'commit=1' });
  const elsewhere = useTemporaryFolder();
  let workspace: string;
  let programs: string[];

  /** Runs as root, or as an ordinary user. */
  const asRoot: Exec = (program, args, options) => {
    programs.push(`${program} ${args[0]}`);
    return nodeExec(program, args, options);
  };
  const asUser: Exec = (program, args, options) =>
    args[0] === 'send'
      ? Promise.resolve({ exitCode: 1, stdout: new Uint8Array(), stderr: 'not permitted' })
      : asRoot(program, args, options);

  const open = (exec: Exec) => openBtrfs(workspace, elsewhere.path, { exec });
  const write = (name: string, bytes: number) =>
    fs.writeFileSync(`${workspace}/${name}`, randomBytes(bytes));
  const usedBytes = (): number => {
    execFileSync('sync', ['-f', disk.current.folder]);
    execFileSync('btrfs', ['subvolume', 'sync', disk.current.folder], { stdio: 'ignore' });
    execFileSync('sync', ['-f', disk.current.folder]);
    const args = ['filesystem', 'usage', '--raw', disk.current.folder];
    const text = execFileSync('btrfs', args, { encoding: 'utf8' });
    return Number(/Used:\s+(\d+)/.exec(text)![1]);
  };
  const assertAbout = (bytes: number, expected: number, what: string) =>
    assert.ok(Math.abs(bytes - expected) < LITTLE, `${what}: ${bytes} instead of ${expected}`);

  beforeEach(() => {
    programs = [];
    workspace = disk.current.folderOf('home/project');
    write('small', 1000);
  });

  for (const [who, exec] of [
    ['root', asRoot],
    ['others', asUser],
  ] as const) {
    /** The result is the same with and without reported paths. */
    const take = async (provider: SnapshotProvider, name: string, ...changedPaths: string[]) => {
      fs.appendFileSync(`${workspace}/small`, name);
      const watched = changedPaths.length > 0 ? { changedPaths: ['small', ...changedPaths] } : {};
      return (await provider.take({ name, label: '', signal, ...watched })).ref;
    };

    it(`is right for ${who} if several snapshots share deleted content`, async () => {
      const provider = await open(exec);
      const zero = await take(provider, 'zero');
      write('large', LARGE);
      const one = await take(provider, 'one');
      const two = await take(provider, 'two', 'other');
      fs.rmSync(`${workspace}/large`);
      const three = await take(provider, 'three', 'large');
      const cost = (...refs: string[]) => provider.cost(refs);
      assertAbout(await cost(one, two), LARGE, 'both');
      assertAbout(await cost(zero, one, two, three), LARGE, 'all');
      assertAbout(await cost(one), 0, 'one that shares it');
      assertAbout(await cost(two), 0, 'the other that shares it');
      assertAbout(await cost(zero, three), 0, 'those that do not have it');

      const before = usedBytes();
      await provider.remove([one]);
      assertAbout(before - usedBytes(), 0, 'what is really free now');
      assertAbout(await cost(two), LARGE, 'the last that has it');
      await provider.remove([two]);
      assertAbout(before - usedBytes(), LARGE, 'what is really free then');
      assertAbout(await cost(zero, three), 0, 'what is left');
    });

    it(`is right for ${who} after middle snapshots or the last one were removed`, async () => {
      const provider = await open(exec);
      write('large', LARGE);
      const one = await take(provider, 'one');
      const two = await take(provider, 'two');
      fs.rmSync(`${workspace}/large`);
      assertAbout(await provider.cost([one, two]), LARGE, 'gone since the last');
      const three = await take(provider, 'three');
      await provider.remove([two]);
      assertAbout(await provider.cost([one]), LARGE, 'after the middle');
      await provider.remove([three]);
      assertAbout(await provider.cost([one]), LARGE, 'after the last');
      fs.rmSync(workspace, { recursive: true });
      assertAbout(await provider.cost([one]), LARGE, 'after the workspace');
    });

    it(`covers only the replaced part of a large file, for ${who}`, async () => {
      const provider = await open(exec);
      write('log', LARGE);
      const refs = [await take(provider, 'zero')];
      for (const name of ['one', 'two', 'three']) {
        fs.appendFileSync(`${workspace}/log`, 'a line\n');
        refs.push(await take(provider, name, 'log'));
      }
      assertAbout(await provider.cost(refs.slice(0, 3)), 0, 'a log');
      fs.renameSync(`${workspace}/log`, `${workspace}/moved`);
      refs.push(await take(provider, 'moved', 'log', 'moved'));
      assertAbout(await provider.cost(refs.slice(0, 4)), 0, 'moved');
      write('moved', LARGE);
      await take(provider, 'written', 'moved');
      // Ordinary users can query only what one snapshot has alone.
      assertAbout(await provider.cost(refs), who === 'root' ? LARGE : 0, 'written as a whole');
    });

    it(`covers all content of a deleted folder, for ${who}`, async () => {
      const provider = await open(exec);
      fs.mkdirSync(`${workspace}/folder/deep`, { recursive: true });
      for (const name of ['a', 'b']) write(`folder/deep/${name}`, LARGE / 2);
      const one = await take(provider, 'one');
      fs.rmSync(`${workspace}/folder`, { recursive: true });
      await take(provider, 'two', 'folder');
      assertAbout(await provider.cost([one]), LARGE, 'the folder');
    });
  }

  it('is known without reading files once the next snapshot is taken', async () => {
    const provider = await open(asRoot);
    const refs: string[] = [];
    for (let number = 0; number < 5; number++) {
      write('large', LARGE / 10);
      refs.push((await provider.take({ name: `s${number}`, label: '', signal })).ref);
    }
    programs = [];
    assertAbout(await provider.cost(refs.slice(0, 4)), (4 * LARGE) / 10, 'four of five');
    assert.deepEqual(programs, []);
    assertAbout(await provider.cost(refs), (4 * LARGE) / 10, 'all');
    assert.deepEqual(programs, [
      `find ${(await provider.open(refs[4]!)).folder}`,
      `find ${workspace}`,
    ]);
    await assert.rejects(provider.cost(refs, AbortSignal.abort()), { name: 'AbortError' });
  });
});
