import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSnapshots } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import { AhSandbox, cliFile, collect, type LaunchedSession } from '../../support/ah.ts';
import { placesOf } from '../../support/recording/secretPlaces.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

const SECRET = 'planted:0123456789/abcdef';
const KEEP = '"$NODE" "$CLI" agent fs snapshot --label';

/** Places of a text that are easily overlooked. */
describe('a scrubbed text, in places that are easily overlooked', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();
  const disk = useBtrfsDisk({ sizeMib: 256 });

  async function run(script: string, cwd: string, where = sandbox.current) {
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: where.folder };
    const own = { NODE: process.execPath, CLI: cliFile, AH_DATA_DIR: where.folder };
    const options = { cwd, workspace: cwd, env: { ...env, ...own, SECRET } };
    const session = await where.launch(['/bin/bash', '-e', '-c', script], options);
    await where.settled(60_000);
    assert.equal((await session.session()).meta.exitCode, 0);
    return session;
  }
  async function scrub(id: string, where = sandbox.current) {
    const args = [cliFile, 'agent', 'scrub', id, '--json'];
    const child = spawn(process.execPath, args, { env: where.env, stdio: 'pipe' });
    child.stdin.end(`${SECRET}\n`);
    const { exitCode, stdout, stderr } = await collect(child);
    const numbers = exitCode === 0 ? (JSON.parse(stdout.toString()) as Record<string, number>) : {};
    return { exitCode, stderr, numbers };
  }
  const labels = async ({ folder }: LaunchedSession) =>
    (await readSnapshots(folder)).flatMap((line) =>
      line.files.state === 'kept' ? line.label : [],
    );
  const btrfsStore = () => path.join(disk.current.folder, '.ah-snapshots');

  it('is removed from snapshots of a deleted folder', async () => {
    const cwd = path.join(workspace.path, 'gone');
    mkdirSync(cwd);
    const session = await run(`echo "$SECRET" > a.txt; ${KEEP} one; rm a.txt`, cwd);
    const store = path.join(sandbox.current.folder, 'snapshots');
    assert.ok((await placesOf([store], SECRET)).length > 0, 'it was planted');
    rmSync(cwd, { recursive: true });
    const { exitCode, stderr, numbers } = await scrub(session.id);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
    assert.ok(numbers['rewrittenSnapshots']! > 0);
    assert.deepEqual(await placesOf([session.folder, store], SECRET), []);
  });

  it('is removed from unreferenced objects and packs, and from files that kills left', async () => {
    const session = await run(
      `echo "$SECRET" > a.txt; ${KEEP} one; echo shown "$SECRET"`,
      workspace.path,
    );
    const store = path.join(sandbox.current.folder, 'snapshots');
    const git = path.join(store, readdirSync(store)[0]!, 'store.git');
    const inStore = (...args: string[]) => execFileSync('git', ['--git-dir', git, ...args]);
    const lost = Buffer.from(`${SECRET} of nobody`);
    const oid = execFileSync('git', ['--git-dir', git, 'hash-object', '-w', '--stdin'], {
      input: lost,
    });
    const name = oid.toString().trim();
    // In an existing pack, and in the temporary file of another.
    execFileSync('git', ['--git-dir', git, 'pack-objects', '-q', `${git}/objects/pack/pack`], {
      input: oid,
    });
    rmSync(path.join(git, 'objects', name.slice(0, 2), name.slice(2)));
    writeFileSync(path.join(git, 'objects/pack/tmp_pack_abcdef'), SECRET);
    assert.match(inStore('cat-file', '-p', name).toString(), /of nobody/);
    // A recorder that is killed while it repacks leaves a temporary recording.
    const leftover = path.join(session.folder, '.session.ahr.0a1b2c3d.repack');
    copyFileSync(session.recording, leftover);

    const { exitCode, stderr } = await scrub(session.id);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
    assert.deepEqual(await placesOf([session.folder, store], SECRET), []);
    assert.ok(!existsSync(leftover));
  });

  it('is removed from the label of a Btrfs snapshot without the text in its files', async () => {
    const cwd = disk.current.subvolume('labelled');
    const session = await run(`echo 1 > a.txt; ${KEEP} "with $SECRET"; echo 2 > a.txt`, cwd);
    const before = await labels(session);
    const { exitCode, numbers } = await scrub(session.id);
    assert.equal(exitCode, 0);
    assert.equal(numbers['removedSnapshots'], 0);
    assert.deepEqual(await placesOf([session.folder, btrfsStore()], SECRET), []);
    assert.equal((await labels(session)).length, before.length);
  });

  it('is deleted with Btrfs snapshots that have it only in git objects, loose and packed', async () => {
    const cwd = disk.current.subvolume('repository');
    await userGit(cwd, 'init', '-q');
    const steps = [
      `${KEEP} before`,
      // Across the border of a 64 KB chunk.
      `head -c 65530 /dev/zero > a.bin; echo "$SECRET" >> a.bin; git add a.bin; rm a.bin; ${KEEP} loose`,
      `git -c user.name=A -c user.email=a@b commit -qm x; git gc -q; ${KEEP} packed`,
      `rm -rf .git; echo 2 > b.txt; ${KEEP} after`,
    ];
    const session = await run(steps.join('\n'), cwd);
    assert.ok((await labels(session)).includes('packed'));
    const { exitCode, stderr, numbers } = await scrub(session.id);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
    assert.equal(numbers['removedSnapshots'], 2);
    const left = await labels(session);
    assert.ok(left.includes('before') && left.includes('after'), left.join());
    assert.ok(!left.includes('loose') && !left.includes('packed'), left.join());
  });

  it('is deleted with Btrfs snapshots for another folder of the volume', async () => {
    const top = disk.current.subvolume('both');
    const [here, there] = ['here', 'there'].map((name) => path.join(top, name)) as [string, string];
    for (const folder of [here, there]) mkdirSync(folder);
    const next = await run(`echo 1 > a.txt; ${KEEP} clean`, there);
    const session = await run(`echo "$SECRET" > ../history; echo 1 > b.txt; ${KEEP} beside`, here);
    const neighbour = await run(`echo 2 > a.txt; ${KEEP} neighbour`, there);
    writeFileSync(path.join(top, 'history'), 'nothing');
    const { exitCode, stderr } = await scrub(session.id);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
    assert.deepEqual(await placesOf([btrfsStore(), session.folder], SECRET), []);
    assert.ok((await labels(next)).includes('clean'));
    assert.ok(!(await labels(neighbour)).includes('neighbour'));
  });

  it('is deleted with Btrfs snapshots that contain the recording', async () => {
    const top = disk.current.subvolume('home');
    const where = new AhSandbox(path.join(top, 'data'));
    mkdirSync(where.folder);
    const cwd = path.join(top, 'project');
    mkdirSync(cwd);
    try {
      const session = await run(
        // Output is in the recording after 100 ms.
        `echo shown "$SECRET"; sleep 0.3; echo 1 > a.txt; ${KEEP} late`,
        cwd,
        where,
      );
      assert.ok((await labels(session)).includes('late'));
      const { exitCode, stderr, numbers } = await scrub(session.id, where);
      assert.equal(stderr, '');
      assert.equal(exitCode, 0);
      assert.ok(numbers['removedSnapshots']! > 0);
      assert.ok(!(await labels(session)).includes('late'));
      assert.deepEqual(await placesOf([top], SECRET), []);
    } finally {
      await where.dispose();
    }
  });

  it('is reported in unreachable places, and removed from all others', async () => {
    const cwd = disk.current.subvolume('vanishing');
    const session = await run(`echo "$SECRET" > a.txt; ${KEEP} one; echo shown "$SECRET"`, cwd);
    execFileSync('btrfs', ['subvolume', 'delete', cwd], { stdio: 'ignore' });
    const { exitCode, stderr } = await scrub(session.id);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /except from these places: \d+ snapshots stored with btrfs: .* no longer exists/,
    );
    assert.deepEqual(await placesOf([session.folder], SECRET), []);
  });
});
