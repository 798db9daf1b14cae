import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventLine } from '../../../../src/agents/common/events/eventLine.ts';
import { SearchThread } from '../../../../src/search/node/searchThread.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { prompt } from '../../agents/common/someEvents.ts';

const WORKER = path.resolve(import.meta.dirname, '../../../../src/search/node/searchWorker.ts');

describe('SearchThread', () => {
  const temporary = useTemporaryFolder();
  let thread: SearchThread;
  let indexFile: string;
  beforeEach(() => {
    indexFile = path.join(temporary.path, 'search.sqlite');
    thread = new SearchThread(WORKER, indexFile);
  });
  afterEach(() => thread.dispose());

  function session() {
    const folder = path.join(temporary.path, 'a');
    mkdirSync(folder);
    const events = eventLine(prompt('Fix the parser', { atMs: 1 }));
    writeFileSync(path.join(folder, 'session.events.jsonl'), events);
    return { id: 'a', folder };
  }

  it('searches and lists facts, and indexes again after it forgot', async () => {
    const sessions = [session()];
    const excerpts = (facts: readonly { excerpt: string }[]) => facts.map((fact) => fact.excerpt);
    assert.deepEqual(excerpts(await thread.search('parser', sessions, 5)), ['Fix the parser']);
    thread.forget();
    assert.ok(!existsSync(indexFile));
    assert.deepEqual(excerpts(await thread.latest(['prompt'], sessions, 5)), ['Fix the parser']);
  });

  it('rejects pending requests when it is disposed', async () => {
    const pending = thread.search('parser', [session()], 5);
    thread.dispose();
    await assert.rejects(pending, { code: 'connection-closed' });
  });
});
