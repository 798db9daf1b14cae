import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FactIndex } from '../../../src/search/node/factIndex.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { collect, type LaunchedSession, type RunResult } from '../../support/ah.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { filesIn, placesOf } from '../../support/recording/secretPlaces.ts';
import { isSoak } from '../../support/soak.ts';
import { slowTest } from '../../support/tiers.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const SECRET = 'planted-0123456789-secret';
const dyingScrub = path.resolve(import.meta.dirname, '../../support/recording/dyingScrub.ts');

/** Changes a file between two snapshots; the secret is the whole content of one file. */
const PROGRAM = `echo "$1"; printf %s "$1" > whole.txt; "$2" "$3" agent fs snapshot --label "with $1"
echo "my $1" > .env; "$2" "$3" agent fs snapshot --label two
echo other > .env; "$2" "$3" agent fs snapshot --label three`;

interface Outcome {
  readonly hasJournal: boolean;
  readonly leftIn: readonly string[];
}

describe('a scrub that is interrupted', function () {
  this.timeout(900_000);
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();
  const saved = useTemporaryFolder();
  let session: LaunchedSession;
  let other: LaunchedSession;

  const cli = path.resolve(import.meta.dirname, '../../../dist/cli.cjs');
  const data = () => sandbox.current.folder;
  const journal = () => path.join(data(), 'scrubs', `${session.id}.json`);

  async function record(): Promise<LaunchedSession> {
    const place = { cwd: workspace.path, workspace: workspace.path };
    const args = ['/bin/sh', '-c', PROGRAM, 'sh', SECRET, process.execPath, cli];
    const env = {
      ...sandbox.current.launchEnv,
      AH_DATA_DIR: data(),
      PATH: process.env['PATH'] ?? '',
    };
    const launched = await sandbox.current.launch(args, { ...place, env });
    await sandbox.current.settled();
    return launched;
  }

  beforeEach(async () => {
    await userGit(workspace.path, 'init', '-q');
    session = await record();
    other = await record();
    writeFileSync(path.join(session.folder, 'session.keyframes'), `cached ${SECRET}`);
    const events = path.join(session.folder, 'session.events.jsonl');
    writeFileSync(events, `${JSON.stringify({ kind: 'prompt', text: `use ${SECRET}` })}\n`);
    const index = await FactIndex.open(path.join(data(), 'search.sqlite'), []);
    await index.update([{ id: session.id, folder: session.folder }]);
    index.close();
    execFileSync('cp', ['-a', `${data()}/.`, saved.path]);
  });

  function restore(): void {
    for (const name of readdirSync(data())) execFileSync('rm', ['-rf', path.join(data(), name)]);
    execFileSync('cp', ['-a', `${saved.path}/.`, data()]);
  }

  async function scrubWith(signal: string, limit: number): Promise<RunResult> {
    const args = [dyingScrub, session.id, signal, String(limit)];
    const child = spawn(process.execPath, args, { env: sandbox.current.env, stdio: 'pipe' });
    child.stdin.end(`${SECRET}\n`);
    return collect(child);
  }

  /** Every snapshot that a session lists exists, and the provider has no others. */
  async function assertSnapshots(what: string): Promise<void> {
    const listed = new Set<string>();
    for (const launched of [session, other]) {
      const files = await SessionFiles.open(await launched.session());
      for (const line of files.snapshots) {
        if (line.files.state !== 'kept') continue;
        listed.add(line.files.ref);
        const tree = await files.tree(line.id);
        assert.ok(Buffer.from(await tree.read('.env').catch(() => 'none')).length > 0, what);
      }
      const held = await (await files.provider()).list();
      for (const ref of listed) assert.ok(held.includes(ref), `${what}: orphaned ${ref}`);
      await files.dispose();
    }
    assert.ok(listed.size >= 3, what);
    const pruned = await sandbox.current.run('agent', 'fs', 'prune', '--json');
    assert.equal(pruned.stderr, '', what);
    const plans = JSON.parse(pruned.stdout.toString()) as { garbage: number; expired: unknown[] }[];
    assert.equal(plans.length, 1, what);
    for (const { garbage, expired } of plans) assert.deepEqual([garbage, expired], [0, []], what);
  }

  async function leftIn(): Promise<string[]> {
    const roots = [session.folder, path.join(data(), 'snapshots')];
    // Skip objects, which an undone scrub may repack; git searches the whole store instead.
    const places = (await placesOf(roots, SECRET)).filter((place) => !place.includes('/objects/'));
    if (existsSync(path.join(data(), 'search.sqlite'))) places.push('search');
    return places.sort();
  }

  function assertHarmlessJournal(): void {
    const text = readFileSync(journal(), 'utf8');
    assert.ok(!text.includes(SECRET));
    for (const kind of ['sha1', 'sha256', 'md5'])
      for (const bytes of [SECRET, `blob ${SECRET.length}\0${SECRET}`])
        assert.ok(!text.includes(createHash(kind).update(bytes).digest('hex')), kind);
  }

  /** Interrupts the scrub, then starts the product again. */
  async function interrupted(signal: string, limit: number): Promise<Outcome> {
    restore();
    await scrubWith(signal, limit);
    const hasJournal = existsSync(journal());
    if (hasJournal) assertHarmlessJournal();
    const listed = await sandbox.current.run('agent', 'sessions');
    assert.equal(listed.exitCode, 0, listed.stderr);
    assert.ok(!existsSync(journal()), listed.stderr);
    assert.doesNotMatch(listed.stdout.toString(), /scrub unfinished/);
    const drafts = filesIn(data()).filter((file) => file.endsWith('.scrub'));
    assert.deepEqual(drafts, []);
    return { hasJournal, leftIn: await leftIn() };
  }

  /** The changes of a scrub that is not interrupted. */
  async function changes(): Promise<string[]> {
    restore();
    const { exitCode, stdout, stderr } = await scrubWith('SIGKILL', 0);
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual(await leftIn(), []);
    await assertSnapshots('not interrupted');
    return JSON.parse(stdout.toString()) as string[];
  }

  /** Returns each step in a soak run, otherwise each `every`-th. */
  function stepsOf(log: readonly string[], every: number): number[] {
    return log.map((_, at) => at + 1).filter((step) => isSoak || step % every === 0);
  }

  slowTest('by a kill changes nothing or, after the next start, everything', async () => {
    restore();
    const untouched = await leftIn();
    assert.ok(untouched.includes('search') && untouched.length > 4, untouched.join());
    const log = await changes();
    const outcomes = new Set<string>();
    for (const step of stepsOf(log, 7)) {
      const what = `${step} of ${log.length}: ${log[step - 1]}`;
      const { leftIn: left } = await interrupted('SIGKILL', step);
      if (left.length > 0) assert.deepEqual(left, untouched, what);
      outcomes.add(left.length > 0 ? 'nothing' : 'everything');
      await assertSnapshots(what);
    }
    assert.deepEqual(outcomes, new Set(['nothing', 'everything']));
  });

  slowTest('by Ctrl-C changes nothing or everything, at once', async () => {
    restore();
    const untouched = await leftIn();
    const log = await changes();
    const outcomes = new Set<string>();
    for (const step of stepsOf(log, 25)) {
      const what = `${step} of ${log.length}: ${log[step - 1]}`;
      restore();
      await scrubWith('SIGINT', step);
      assert.ok(!existsSync(journal()), what);
      const left = await leftIn();
      if (left.length > 0) assert.deepEqual(left, untouched, what);
      outcomes.add(left.length > 0 ? 'nothing' : 'everything');
      await assertSnapshots(what);
    }
    assert.deepEqual(outcomes, new Set(['nothing', 'everything']));
  });
});
