import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventLine } from '../../../../src/agents/common/events/eventLine.ts';
import type { AgentEvent } from '../../../../src/agents/common/events/events.ts';
import { FactIndex } from '../../../../src/search/node/factIndex.ts';
import { FactScan } from '../../../../src/search/node/factScan.ts';
import type { FactSource } from '../../../../src/search/node/factSource.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { asked, call, completed, message, prompt, result } from '../../agents/common/someEvents.ts';

const KEY = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

describe('search over all sessions', () => {
  const temporary = useTemporaryFolder();
  let sources: FactSource[] = [];
  afterEach(() => {
    for (const source of sources) source.close();
    sources = [];
  });

  const indexFile = () => path.join(temporary.path, 'search.sqlite');
  const session = (id: string) => ({ id, folder: path.join(temporary.path, id) });
  const eventsFile = (id: string) => path.join(temporary.path, id, 'session.events.jsonl');
  function tell(id: string, ...events: readonly AgentEvent[]): void {
    mkdirSync(session(id).folder, { recursive: true });
    appendFileSync(eventsFile(id), events.map(eventLine).join(''));
  }
  async function index(): Promise<FactIndex> {
    const opened = await FactIndex.open(indexFile(), ['known-secret-1']);
    sources.push(opened);
    return opened;
  }
  const found = async (source: FactSource, text: string) =>
    (await source.search(text, 50)).map((fact) => `${fact.session} ${fact.kind} ${fact.excerpt}`);

  for (const kind of ['index', 'scan'] as const) {
    it(`finds prompts, answers, commands, questions and failures, newest first (${kind})`, async () => {
      tell('a', prompt('Fix the Über-parser', { atMs: 1 }));
      const command = { command: 'npm test -- parser' };
      tell('a', call('c', 'Bash', command, { atMs: 2 }));
      tell('a', asked('c', 'Bash', command, { atMs: 3 }));
      tell('b', result('c', { outcome: 'failed', summary: 'parser.ts: 1 failing' }, { atMs: 4 }));
      tell('b', message('The parser works.', { atMs: 5 }), completed({ atMs: 6 }));
      const source = kind === 'index' ? await index() : new FactScan([]);
      await source.update([session('a'), session('b')]);
      assert.deepEqual(await found(source, 'parser'), [
        'b answer The parser works.',
        'b failure parser.ts: 1 failing',
        'a approval npm test -- parser',
        'a tool npm test -- parser',
        'a prompt Fix the Über-parser',
      ]);
      assert.deepEqual(await found(source, 'PARSER wor'), ['b answer The parser works.']);
      assert.deepEqual(await found(source, 'nothing like it'), []);
      assert.deepEqual(await found(source, '" OR * (-'), []);
      const latest = await source.latest(['prompt', 'end'], 10);
      assert.deepEqual(
        latest.map(({ kind: each, timeMs }) => [each, timeMs]),
        [
          ['end', 6],
          ['prompt', 1],
        ],
      );
    });
  }

  it('contains no known secret, also not on the disk', async () => {
    tell('a', prompt(`Use ${KEY} and PASSWORD=hunter2hunter and known-secret-1`, { atMs: 1 }));
    const source = await index();
    await source.update([session('a')]);
    assert.deepEqual(await found(source, 'hunter2hunter'), []);
    assert.equal((await found(source, 'Use')).length, 1);
    source.close();
    sources = [];
    const bytes = readFileSync(indexFile(), 'latin1');
    for (const secret of [KEY, 'hunter2hunter', 'known-secret-1']) {
      assert.ok(!bytes.includes(secret), secret);
    }
  });

  it('indexes only new events, once, across restarts and windows', async () => {
    tell('a', prompt('one', { atMs: 1 }));
    const first = await index();
    await first.update([session('a')]);
    const second = await index();
    tell('a', prompt('two', { atMs: 2 }));
    appendFileSync(eventsFile('a'), '{"torn');
    await Promise.all([first.update([session('a')]), second.update([session('a')])]);
    assert.equal((await second.latest(['prompt'], 10)).length, 2);
    assert.equal((await first.latest(['prompt'], 10)).length, 2);
  });

  it('reads a rewritten file from its start, and drops deleted sessions', async () => {
    tell('a', prompt('the first text', { atMs: 1 }));
    tell('b', prompt('another', { atMs: 2 }));
    const source = await index();
    await source.update([session('a'), session('b')]);
    rmSync(eventsFile('a'));
    tell('a', prompt('rewritten and longer than it was before', { atMs: 3 }));
    await source.update([session('a')]);
    assert.deepEqual(await found(source, 'first'), []);
    assert.deepEqual(await found(source, 'another'), []);
    assert.equal((await found(source, 'rewritten')).length, 1);
  });

  it('is rebuilt when damaged or outdated', async () => {
    tell('a', prompt('still here', { atMs: 1 }));
    writeFileSync(indexFile(), 'This is no database at all. '.repeat(500));
    const source = await index();
    await source.update([session('a')]);
    assert.equal((await found(source, 'here')).length, 1);
  });
});
