import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MomentKind } from '../../../src/timeline/common/moments/moment.ts';
import { decodeState } from '../../../src/timeline/common/protocol/playbackCodec.ts';
import type { ThreadEvents } from '../../../src/timeline/common/protocol/timelineProtocol.ts';
import { TimelineServer, type Notify } from '../../../src/timeline/node/timelineServer.ts';
import { filesOnDisk } from '../../support/git/gitWorkspace.ts';
import { ModelScreen } from '../../support/terminal/modelScreen.ts';
import { useOldHome, type OldHome } from '../../support/oldBuilds/oldHome.ts';

const PATTERN_WORKER = path.resolve(
  import.meta.dirname,
  '../../../src/timeline/node/patternWorker.ts',
);

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly cmd: readonly string[];
  readonly exitCode: number;
  readonly recording: string;
  readonly totalBytes: number;
  readonly agent?: { readonly status: string; readonly turns: number };
}

/** The agent's output. */
const LINES = [
  'wrote notes.txt with tool 1',
  'wrote pool.txt with tool 2',
  'wrote wrong.txt with tool 3',
  'wrote pool.txt with tool 4',
  'The pool is mended.',
];
/** Snapshots: 1 at the start, 2 at the prompt, one after each tool call, 7 at the end. */
const PINNED = '3';
const OF_BRANCH = '4';
const LAST = '7';

// Uses only the built CLI and its files, no modules of src, whose formats may change; but the
// timeline has no command, so its test asks the server that the page asks.
for (const kind of ['git', 'btrfs'] as const) {
  describe(`a home that an old build wrote, with ${kind}`, function () {
    this.timeout(60_000);
    const home = useOldHome(kind);
    const read = (name: string) => readFileSync(path.join(home.project, name), 'utf8');
    const branch = (name: string) => `${home.project}.branches/${name}`;

    it('lists sessions with their ends and agents, and the branch', async () => {
      const [child, parent] = await sessionsOf(home);
      const program = path.join(home.folder, 'bin/claude');
      assert.deepEqual(parent!.cmd, [program, 'Mend the pool']);
      assert.deepEqual([parent!.state, parent!.exitCode], ['finished', 0]);
      assert.equal(parent!.totalBytes, LINES.map((line) => `${line}\r\n`).join('').length);
      assert.deepEqual([parent!.agent?.status, parent!.agent?.turns], ['exited', 1]);
      assert.deepEqual([child!.cmd[1], child!.cmd.at(-1)], ['--resume', 'Use a queue']);
      assert.match(await home.out('branches'), /\bqueue\b/);
    });

    it('shows the output, and the files of each moment', async () => {
      const { id } = (await sessionsOf(home))[1]!;
      const points = await home.out('branch-points', '--session', id, '--format', 'md');
      for (const text of [...LINES, 'Prompt: Mend the pool', 'Session end']) {
        assert.ok(points.includes(text), `${text} is missing in ${points}`);
      }
      assert.equal(
        await home.out('replay', '--session', id, '--fast'),
        LINES.map((line) => `${line}\n`).join(''),
      );
      const show = (snapshot: string, file: string) =>
        home.out('fs', 'show', '--session', id, snapshot, file);
      assert.equal(await show('1', 'pool.txt'), '1\n2\n3\n');
      assert.equal(await show(OF_BRANCH, 'pool.txt'), '1\n2\n3\nfour\n');
      assert.equal(await show(LAST, 'pool.txt'), 'one\n2\n3\nfour\n');
      assert.equal(
        await home.out('fs', 'diff', '--session', id, '2', '5'),
        'A  notes.txt\nM  pool.txt\nA  wrong.txt\n',
      );
    });

    it('opens in the timeline, with its moments and its last screen', async () => {
      const { recording } = (await sessionsOf(home))[1]!;
      const events: { readonly name: string; readonly body: unknown }[] = [];
      const notify: Notify = (name, body) => void events.push({ name, body });
      const server = new TimelineServer(recording, notify, PATTERN_WORKER);
      try {
        await server.open();
        await server.refresh();
        const sent = events.findLast(({ name }) => name === 'moments')!.body;
        const { moments } = sent as ThreadEvents['moments'];
        const count = (kind: MomentKind) => moments.filter((moment) => moment.kind === kind).length;
        assert.deepEqual(
          moments.filter(({ kind }) => kind === 'prompt').map(({ title }) => title),
          ['Mend the pool'],
        );
        assert.deepEqual([count('tool'), count('snapshot')], [4, Number(LAST)]);
        const { body, binary } = await server.frame({ end: true });
        const screen = new ModelScreen();
        await screen.reset(decodeState(body, binary));
        assert.equal(screen.text, LINES.join('\n'));
      } finally {
        server.dispose();
      }
    });

    it('creates a new branch with the files and the memory of the moment', async () => {
      const { id } = (await sessionsOf(home))[1]!;
      const before = filesOnDisk(home.project);
      const from = ['--session', id, '--snapshot', PINNED, '--name', 'again'];
      await home.out('branch', ...from, '--message', 'Try again', '--no-launch', '--json');
      const inBranch = (name: string) => readFileSync(path.join(branch('again'), name), 'utf8');
      const names = readdirSync(branch('again')).filter((name) => !name.startsWith('.'));
      assert.deepEqual(names.sort(), ['README.md', 'notes.txt', 'pool.txt', 'wish.txt']);
      assert.deepEqual(
        [inBranch('notes.txt'), inBranch('pool.txt'), inBranch('wish.txt')],
        ['first idea\n', '1\n2\n3\n', 'a pool that holds\n'],
      );
      assert.match(await home.out('branch', 'start', 'again'), /resumed with: Try again/);
      await home.settled();
      assert.equal(inBranch('queue.txt'), 'a queue\n', 'the agent worked there');
      assert.deepEqual(filesOnDisk(home.project), before, 'the original is as it was');
      const made = (await sessionsOf(home))[0]!;
      assert.deepEqual([made.exitCode, made.cmd.at(-1)], [0, 'Try again']);
      const resumed = made.cmd[made.cmd.indexOf('--resume') + 1] ?? '';
      const memory = memoryOf(home, branch('again'), resumed);
      assert.match(memory, /Mend the pool[^]*first idea/);
      assert.doesNotMatch(memory, /all wrong/, 'what came after the moment');
    });

    it('applies its branch, and undoes that', async () => {
      const before = filesOnDisk(home.project);
      const shown = await home.out('branch', 'take', 'queue', '--dry-run');
      assert.equal(shown, 'D  notes.txt\nM  pool.txt  (merged with your changes)\nA  queue.txt\n');
      await home.out('branch', 'take', 'queue', '--yes');
      assert.equal(read('pool.txt'), 'one\n2\n3\nfour by a queue\n', 'both sides of it');
      assert.equal(read('queue.txt'), 'a queue\n');
      assert.ok(!existsSync(path.join(home.project, 'notes.txt')));
      assert.equal(read('wrong.txt'), 'all wrong\n', 'what the original alone has');
      const { id } = (await sessionsOf(home))[1]!;
      await home.out('fs', 'restore', '--session', id, '--undo', '--yes');
      assert.deepEqual(filesOnDisk(home.project), before);
    });

    it('prunes all but pinned snapshots, those of the branch, and the last', async () => {
      const { id } = (await sessionsOf(home))[1]!;
      await home.out('fs', 'prune', '--max-count', '1', '--max-age-days', '36500');
      const show = (snapshot: string, file: string) =>
        home.run('fs', 'show', '--session', id, snapshot, file);
      for (const [snapshot, file, text] of [
        [PINNED, 'notes.txt', 'first idea\n'],
        [OF_BRANCH, 'pool.txt', '1\n2\n3\nfour\n'],
        [LAST, 'pool.txt', 'one\n2\n3\nfour\n'],
      ] as const) {
        const { stdout, stderr } = await show(snapshot, file);
        assert.equal(stdout.toString(), text, `${snapshot}: ${stderr}`);
      }
      for (const gone of ['1', '2', '5']) {
        const { exitCode, stderr } = await show(gone, 'pool.txt');
        assert.equal(exitCode, 1, gone);
        assert.match(stderr, /has been removed/);
      }
    });

    it('discards its branch', async () => {
      await home.out('branch', 'rm', 'queue', '--yes');
      assert.ok(!existsSync(branch('queue')));
      assert.deepEqual(
        (await sessionsOf(home)).map(({ cmd }) => cmd[1]),
        ['Mend the pool'],
      );
    });
  });
}

/** Newest first. */
async function sessionsOf(home: OldHome): Promise<Listed[]> {
  return JSON.parse(await home.out('sessions', '--json')) as Listed[];
}

/** The agent's own records in a folder. */
function memoryOf(home: OldHome, folder: string, session: string): string {
  const project = folder.replace(/[^A-Za-z0-9]/g, '-');
  return readFileSync(path.join(home.user, `.claude/projects/${project}/${session}.jsonl`), 'utf8');
}
