import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventLine } from '../../../../src/agents/common/events/eventLine.ts';
import type { AgentEvent } from '../../../../src/agents/common/events/events.ts';
import { LiveSessions } from '../../../../src/agents/node/capture/liveSessions.ts';
import { SearchThread } from '../../../../src/search/node/searchThread.ts';
import { dist, until } from '../../../support/ah.ts';

/** Runs on VS Code's Node and file watcher. */
describe('the search index in the extension host', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), 'ah-t-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function tell(id: string, event: object): void {
    const folder = path.join(root, id);
    mkdirSync(folder, { recursive: true });
    const base = { source: 'hook', confidence: 'high', agent: 'claudeCode' };
    const timeNs = BigInt(Date.now()) * 1_000_000n;
    const line = eventLine({ ...base, timeNs, ...event } as AgentEvent);
    appendFileSync(path.join(folder, 'session.events.jsonl'), line);
  }
  const place = (id: string) => ({ id, folder: path.join(root, id), recording: '' });

  it('searches on a thread and redacts secrets', async () => {
    tell('a', { id: '1', kind: 'user.prompt', text: 'Deploy with PASSWORD=hunter2hunter please' });
    const extension = vscode.extensions.getExtension('ah-time-travel.ah-time-travel');
    const folder = extension ? path.join(extension.extensionPath, 'dist') : dist;
    const search = new SearchThread(path.join(folder, 'searchWorker.cjs'), path.join(root, 'i'));
    const found = await search.search('deplo', [place('a')], 10);
    assert.deepEqual(
      found.map(({ kind, excerpt }) => [kind, excerpt]),
      [['prompt', 'Deploy with PASSWORD=[redacted] please']],
    );
    search.forget();
    assert.equal((await search.latest(['prompt'], [place('a')], 10)).length, 1);
    search.dispose();
  });

  it('contains new events at once', async () => {
    const live = new LiveSessions();
    mkdirSync(path.join(root, 'b'));
    live.follow([place('b')]);
    tell('b', { id: '1', kind: 'user.prompt', text: 'Go' });
    await until(() => live.status('b')?.status === 'running', 'running');
    tell('b', { id: '2', kind: 'turn.completed', outcome: 'done' });
    await until(() => live.status('b')?.status === 'waiting', 'waiting');
    live.dispose();
  });
});
