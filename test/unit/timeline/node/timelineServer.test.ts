import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Timers } from '../../../../src/base/clock.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { TimelineServer, type Notify } from '../../../../src/timeline/node/timelineServer.ts';
import {
  decodeChunk,
  decodeState,
} from '../../../../src/timeline/common/protocol/playbackCodec.ts';
import type { SearchHit } from '../../../../src/timeline/common/search/searchHits.ts';
import type { ThreadEvents } from '../../../../src/timeline/common/protocol/timelineProtocol.ts';
import type { TranscriptLine } from '../../../../src/timeline/common/transcript/transcript.ts';
import { playRecord } from '../../../../src/terminal/keyframes/playRecord.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { until } from '../../../support/ah.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { ModelScreen } from '../../../support/terminal/modelScreen.ts';
import { readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { recordsOf, type Step } from '../../../support/recording/recordList.ts';
import { write } from '../../../support/recording/recordings.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const PATTERN_WORKER = path.resolve(
  import.meta.dirname,
  '../../../../src/timeline/node/patternWorker.ts',
);

type Told = { [K in keyof ThreadEvents]: { name: K; body: ThreadEvents[K] } }[keyof ThreadEvents];

class World {
  readonly told: Told[] = [];
  readonly server: TimelineServer;

  /** @param timers the system's by default */
  constructor(file: string, timers?: Timers) {
    const notify: Notify = (name, body) => void this.told.push({ name, body } as Told);
    this.server = new TimelineServer(file, notify, PATTERN_WORKER, timers);
  }

  last<K extends keyof ThreadEvents>(name: K): ThreadEvents[K] | undefined {
    return this.told.findLast((told) => told.name === name)?.body as ThreadEvents[K] | undefined;
  }

  /** The transcript after all updates. */
  get transcript(): TranscriptLine[] {
    let lines: TranscriptLine[] = [];
    for (const told of this.told) {
      if (told.name === 'transcript')
        lines = [...lines.slice(0, told.body.from), ...told.body.lines];
    }
    return lines;
  }

  async text(target: Parameters<TimelineServer['frame']>[0]): Promise<string> {
    const { body, binary } = await this.server.frame(target);
    const screen = new ModelScreen();
    await screen.reset(decodeState(body, binary));
    return screen.text;
  }

  async find(text: string, isRegex = false): Promise<SearchHit[]> {
    this.told.length = 0;
    const searchId = 1;
    await this.server.search({ searchId, text, isRegex, isCaseSensitive: false });
    return this.told.flatMap((told) => (told.name === 'hits' ? told.body.hits : []));
  }
}

describe('TimelineServer', () => {
  const folder = useTemporaryFolder();
  let world: World;
  let file: string;

  async function save(records: readonly AhrRecord[], blockRecords = 5): Promise<void> {
    file = path.join(folder.path, 'session.ahr');
    writeFileSync(file, (await write(records, blockRecords)).bytes);
  }

  async function open(...steps: Step[]): Promise<void> {
    await save(recordsOf(...steps), 1);
    world = new World(file);
    await world.server.open();
    await world.server.refresh();
  }

  afterEach(() => world.server.dispose());

  it('shows a real agent at any position as playing does', async () => {
    const { size, records } = readPtyFixture('codex');
    const all: AhrRecord[] = [{ kind: 'resize', tsNs: records[0]!.tsNs, ...size }, ...records];
    await save(all);
    world = new World(file);
    const extent = await world.server.open();
    assert.equal(extent.totalBytes, 821_169);
    await world.server.refresh();
    assert.ok(world.last('extent')!.isIndexed);
    const model = new TerminalModel({ size, historyLines: 0 });
    for (const [index, record] of all.entries()) {
      playRecord(model, record);
      if (index % 60 !== 0) continue;
      const rows = model.rows().map(({ text }) => text.trimEnd());
      assert.equal(await world.text({ byteOffset: model.byteOffset }), rows.join('\n').trimEnd());
    }
    const { counts } = world.server.activity([-1, extent.endMs / 2, extent.endMs]);
    assert.equal(counts[0]! + counts[1]!, 821_169);
  });

  it('finds overwritten output and shows it', async () => {
    await open([40, 5], 'secret plan', '\r\x1b[Kdone', '\x1b[2J\x1b[H', 'other');
    const [hit, ...more] = await world.find('SECRET');
    assert.deepEqual(more, []);
    assert.equal(hit!.excerpt, 'secret plan');
    assert.equal(await world.text({ byteOffset: hit!.byteOffset }), 'secret plan');
    assert.equal((await world.find('s[a-z]+t pl', true)).length, 1);
    await assert.rejects(world.find('(', true), { code: 'bad-pattern' });
  });

  it('finds everything even if the search starts before indexing has ended', async () => {
    await save(recordsOf([40, 5], 'secret plan', '\r\x1b[Kdone'), 1);
    world = new World(file);
    await world.server.open();
    const finding = world.find('secret');
    await world.server.refresh();
    assert.deepEqual(
      (await finding).map(({ excerpt }) => excerpt),
      ['secret plan'],
    );
  });

  it('rejects an expression that takes too long, and answers other requests meanwhile', async () => {
    const letters = 'a'.repeat(60);
    await save(recordsOf([80, 5], `${letters}!`, '\r\nnext'), 1);
    const clock = new FakeClock();
    world = new World(file, clock);
    await world.server.open();
    await world.server.refresh();
    let isSearching = true;
    const search = world.find('(a+)+$', true).finally(() => (isSearching = false));
    const searching = assert.rejects(search, { code: 'slow-pattern' });
    await until(() => clock.pendingTimers === 1, 'the search to be under way');
    assert.match(await world.text({ byteOffset: 61 }), /^a+!$/);
    await clock.advance(2999);
    assert.ok(isSearching, 'a seek does not wait for the search');
    await clock.advance(1);
    await searching;
    assert.equal((await world.find('a+!$', true)).length, 1, 'the next one works');
  });

  it('ends an endless search when another starts', async () => {
    await open([80, 5], `${'a'.repeat(60)}!`, '\r\nnext');
    const first = world.server.search({
      searchId: 1,
      text: '(a+)+$',
      isRegex: true,
      isCaseSensitive: false,
    });
    const start = performance.now();
    assert.equal((await world.find('next')).length, 1);
    await first;
    assert.ok(performance.now() - start < 2000, 'it did not wait for the limit');
  });

  it('finds output that was visible only within one record', async () => {
    const lines = Array.from({ length: 2000 }, (_, line) => `number ${line};`).join('\r\n');
    await open([40, 5], lines);
    const [hit] = await world.find('number 777;');
    assert.equal(hit!.isPassing, true);
    const { recordIndex, excerpt } = hit!;
    assert.match(await world.text({ recordIndex, text: excerpt }), /number 777;/);
  });

  it('follows a growing recording', async () => {
    const records = recordsOf([40, 5], 'one ', 'two ', 'three');
    await save(records.slice(0, 2));
    world = new World(file);
    await world.server.open();
    await world.server.refresh();
    assert.equal((await world.find('three')).length, 0);
    const { body } = await world.server.frame({ end: true });
    writeFileSync(file, (await write(records)).bytes);
    await world.server.refresh();
    assert.equal(world.last('extent')!.totalBytes, 13);
    const range = await world.server.range(body.place);
    const { items } = decodeChunk(range.body, range.binary);
    const text = items
      .map((item) => (item.kind === 'output' ? Buffer.from(item.bytes) : ''))
      .join('');
    assert.equal(text, 'two three');
    assert.equal((await world.find('three')).length, 1);
  });

  it('continues when a recording is repacked', async () => {
    const records = recordsOf([40, 5], 'one ', 'two ', 'three');
    await save(records, 1);
    world = new World(file);
    await world.server.open();
    await world.server.refresh();
    const packed = path.join(folder.path, 'packed');
    writeFileSync(packed, (await write(records)).bytes);
    renameSync(packed, file);
    await world.server.refresh();
    assert.equal(world.last('replaced'), undefined);
    assert.equal(await world.text({ byteOffset: 8 }), 'one two');
  });

  it('reports that another recording took the file’s place', async () => {
    await open([40, 5], 'first');
    const later = recordsOf([40, 5], 'second').map((record) => ({
      ...record,
      tsNs: record.tsNs + 1_000_000_000n,
    }));
    const other = path.join(folder.path, 'other');
    writeFileSync(other, (await write(later)).bytes);
    renameSync(other, file);
    await world.server.refresh();
    assert.ok(world.last('replaced'));
    assert.equal(await world.text({ end: true }), 'second');
  });

  it('starts again with the rest of a truncated recording', async () => {
    await open([40, 5], 'one ', 'two ', 'three');
    const bytes = readFileSync(file);
    // A last block without output marks the end.
    const lastOutput = bytes.lastIndexOf('AHRC', bytes.lastIndexOf('AHRC') - 1);
    truncateSync(file, lastOutput + 50);
    await world.server.refresh();
    assert.equal(await world.text({ end: true }), 'one two');
    const problem = world.last('extent')!.problem ?? '';
    assert.match(problem, /^The end of this recording is missing/);
    assert.ok(problem.endsWith(`The first ${lastOutput} of ${lastOutput + 50} bytes are intact.`));
  });

  it('says where damage begins', async () => {
    await open([40, 5], 'one ', 'two ', 'three');
    const bytes = readFileSync(file);
    const damaged = bytes.indexOf('AHRC', bytes.indexOf('AHRC') + 1);
    writeFileSync(file, bytes.fill(0xff, damaged + 46, damaged + 52));
    const other = new World(file);
    await other.server.open();
    await other.server.refresh();
    const intact = `The first ${damaged} of ${bytes.length} bytes are intact.`;
    const part = 'Part of this recording is damaged; the rest is shown.';
    assert.equal(other.last('extent')!.problem, `${part} ${intact}`);
    other.server.dispose();
  });

  it('says why nothing of a file can be shown', async () => {
    await open([40, 5], 'one ', 'two ');
    const bytes = readFileSync(file);
    const reason = async (content: string | Buffer) => {
      writeFileSync(file, content);
      const other = new World(file);
      return other.server.open().then(
        () => '',
        ({ message }: Error) => message,
      );
    };
    const cut = 'session.ahr is incomplete: it ends before its first block, after 20 bytes.';
    assert.equal(await reason(bytes.subarray(0, 20)), cut);
    assert.equal(
      await reason('Dear diary, this is not a recording.'),
      'session.ahr is not a recording.',
    );
    const { bytes: whole } = await write(recordsOf([40, 5], 'one '), 50);
    const first = 'session.ahr is damaged from the start: nothing in it can be shown.';
    assert.equal(await reason(Buffer.from(whole).fill(0xff, 46, 60)), first);
  });

  it('starts again when truncated before indexing has ended', async () => {
    const outputs = Array.from({ length: 30 }, (_, line) => `line ${line}\r\n`);
    await save(recordsOf([20, 40], ...outputs));
    world = new World(file);
    await world.server.open();
    const before = await world.text({ end: true });
    assert.match(before, /line 29/);
    truncateSync(file, Math.floor(readFileSync(file).length * 0.6));
    await world.server.refresh();
    assert.ok(world.last('replaced'), 'the page has to ask again');
    assert.doesNotMatch(await world.text({ end: true }), /line 29/);
  });

  it('reports that the recording was deleted, still shows it, and reports its return', async () => {
    await open([40, 5], 'one');
    const bytes = readFileSync(file);
    rmSync(file);
    await world.server.refresh();
    assert.equal(world.last('trouble')!.message, 'The recording session.ahr no longer exists.');
    assert.equal(await world.text({ end: true }), 'one');
    writeFileSync(file, bytes);
    await world.server.refresh();
    assert.equal(world.last('trouble')!.message, null);
    assert.equal(await world.text({ end: true }), 'one');
  });

  it('keeps record indexes right after a damaged block', async () => {
    const texts = ['one ', 'two ', 'three ', 'four '];
    await save(recordsOf([40, 5], ...texts), 1);
    const bytes = readFileSync(file);
    const at = bytes.indexOf('AHRC', bytes.indexOf('AHRC', 1) + 1);
    bytes.fill(0xff, at + 44, at + 48);
    writeFileSync(file, bytes);
    world = new World(file);
    await world.server.open();
    await world.server.refresh();
    await world.server.refresh();
    assert.equal(world.last('extent')!.recordCount, 5);
    assert.equal(await world.text({ end: true }), 'one three four');
    assert.equal((await world.find('four')).length, 1);
  });

  it('explains why a file cannot be opened', async () => {
    file = path.join(folder.path, 'session.ahr');
    world = new World(file);
    await assert.rejects(world.server.open(), { code: 'recording-gone' });
    writeFileSync(file, 'not a recording at all, just text that is long enough for a header');
    await assert.rejects(world.server.open(), { code: 'not-a-recording' });
    writeFileSync(file, '');
    await assert.rejects(world.server.open(), { code: 'empty-recording' });
  });

  it('sends the moments with details of their snapshots', async () => {
    const snapshot = (label: string, snapshotId: bigint): AhrRecord => {
      return { kind: 'snapshot', tsNs: 9_000_000n, snapshotId, anchorByte: 3, label };
    };
    await save([...recordsOf([40, 5], 'one', [50, 6]), snapshot('edit', 1n), snapshot('', 2n)]);
    const line = '{"id":1,"ts_ns":9000000,"label":"edit","kind":"manual","anchor_byte":3,';
    const kept =
      '"fs_snapshot":true,"provider":"git","ref":"x","stats":{"changed":2},"skipped":[]}';
    const late = kept.replace(/}$/, ',"late":true}');
    const other = line.replace('"id":1', '"id":3');
    const lines = `${line}${kept}\n${other}${late}\n`;
    writeFileSync(path.join(folder.path, 'session.snapshots.jsonl'), lines);
    world = new World(file);
    await world.server.open();
    await world.server.refresh();
    const { moments } = world.last('moments')!;
    assert.deepEqual(
      moments.map(({ kind, title, detail, isManual }) => [kind, title, detail, isManual]),
      [
        ['resize', '50 × 6', undefined, undefined],
        ['snapshot', 'edit', '2 files changed', true],
        ['mark', 'Moment 2', undefined, undefined],
        ['snapshot', 'edit', '2 files changed · late: may contain later changes', true],
      ],
    );
  });

  it('sends agent activity with results, at its position in the output', async () => {
    await save(recordsOf([40, 5], 'one ', 'two ', 'three '));
    const base = '"source":"hook","confidence":"high","agent":"claudeCode"';
    const lines = [
      `{"id":"p","kind":"user.prompt",${base},"timeNs":1500000,"text":"fix\\nit"}`,
      `{"id":"c","kind":"tool.call",${base},"timeNs":2500000,"byte":8,"callId":"1","tool":"Bash","action":"shell","input":{},"title":"npm test"}`,
      `{"id":"r","kind":"tool.result",${base},"timeNs":2600000,"callId":"1","tool":"Bash","outcome":"failed","summary":"no","exitCode":1,"files":[]}`,
    ];
    writeFileSync(path.join(folder.path, 'session.events.jsonl'), `${lines.join('\n')}\n{torn`);
    world = new World(file);
    await world.server.open();
    await world.server.refresh();
    assert.deepEqual(
      world.last('moments')!.moments.map(({ kind, title, detail, byteOffset, turn, isError }) => {
        return [kind, title, detail, byteOffset, turn, isError];
      }),
      [
        ['prompt', 'fix it', '1 tool call', 0, 1, undefined],
        ['tool', 'Bash npm test', 'failed · exit 1', 8, 1, true],
      ],
    );
    assert.equal((await world.find('npm TEST'))[0]?.momentId, 'event-c');
  });

  it('sends the transcript and its updates', async () => {
    const records = recordsOf([40, 5], 'one\r\n', 'two\r\n', 'three');
    await save(records.slice(0, 2));
    const prompt = '"kind":"user.prompt","source":"hook","confidence":"high","agent":"codex"';
    const line = `{"id":"p",${prompt},"timeNs":2500000,"byte":5,"text":"go\\non"}`;
    writeFileSync(path.join(folder.path, 'session.events.jsonl'), `${line}\n`);
    world = new World(file);
    await world.server.open();
    await world.server.refresh();
    world.server.transcribe();
    const texts = () => world.transcript.map(({ kind, text }) => `${kind} ${text}`);
    await until(() => texts().length > 0, 'its text');
    const start = ['screen one', 'text ', 'prompt go', 'text on'];
    assert.deepEqual(texts(), start);
    writeFileSync(file, (await write(records)).bytes);
    await world.server.refresh();
    await until(() => texts().length > 4, 'the rest');
    assert.deepEqual(texts(), [...start, 'screen two', 'screen three']);
    const told = world.told.filter(({ name }) => name === 'transcript');
    assert.equal((told.at(-1)!.body as { from: number }).from, 4, 'only what is new');
  });
});
