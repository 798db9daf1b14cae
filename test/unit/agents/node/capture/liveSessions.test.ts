import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventLine } from '../../../../../src/agents/common/events/eventLine.ts';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import type { SessionNews } from '../../../../../src/agents/node/capture/followedSession.ts';
import { LiveSessions } from '../../../../../src/agents/node/capture/liveSessions.ts';
import { readLiveSession } from '../../../../../src/agents/node/capture/readLiveSession.ts';
import { until } from '../../../../support/ah.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';
import { asked, call, completed, prompt, resolved } from '../../common/someEvents.ts';

const input = { command: 'npm test' };
const now = () => Date.now();

describe('LiveSessions', () => {
  const temporary = useTemporaryFolder();
  let live: LiveSessions;
  let news: SessionNews[];

  beforeEach(() => {
    live = new LiveSessions();
    news = [];
    live.onNews((each) => news.push(each));
  });
  afterEach(() => live.dispose());

  const placeOf = (id: string) => {
    const folder = path.join(temporary.path, id);
    mkdirSync(folder, { recursive: true });
    return { id, folder, recording: path.join(folder, 'session.ahr') };
  };
  const fileOf = (id: string) => path.join(temporary.path, id, 'session.events.jsonl');
  const tell = (id: string, ...events: readonly AgentEvent[]) =>
    appendFileSync(fileOf(id), events.map(eventLine).join(''));
  const statusOf = (id: string) => live.status(id)?.status;

  it('reports each change soon after it is written, with its reason and start', async () => {
    live.follow([placeOf('a')]);
    const begin = prompt('go', { atMs: now() });
    tell('a', begin);
    await until(() => statusOf('a') === 'running', 'running');
    assert.equal(live.status('a')?.sinceNs, begin.timeNs);

    const question = asked('c', 'Bash', input, { atMs: now() });
    tell('a', call('c', 'Bash', input, { atMs: now() }), question);
    await until(() => statusOf('a') === 'waiting_approval', 'the question');
    const status = live.status('a');
    assert.equal(status?.subject, 'npm test');
    assert.equal(status.sinceNs, question.timeNs);

    tell('a', resolved('c', 'allowed', { atMs: now() }));
    await until(() => statusOf('a') === 'running', 'the answer');
    tell('a', completed({ atMs: now() }));
    await until(() => statusOf('a') === 'waiting', 'the end of the turn');
    assert.equal(live.status('a')?.isPromptReady, true);
  });

  it('reads each event once for all listeners, and reports no earlier events', async () => {
    const place = placeOf('a');
    tell('a', prompt('old', { atMs: now() }), asked('c', 'Bash', input, { atMs: now() }));
    const heard: number[] = [];
    for (let listener = 0; listener < 20; listener++) live.onNews(() => heard.push(listener));
    live.follow([place]);
    await until(() => statusOf('a') === 'waiting_approval', 'the past');
    assert.deepEqual(
      news.flatMap(({ events }) => events),
      [],
    );
    news.length = heard.length = 0;
    live.follow([place]);
    tell('a', resolved('c', 'denied', { atMs: now() }));
    await until(() => statusOf('a') === 'running', 'the answer');
    assert.deepEqual(
      news.flatMap(({ events }) => events.map(({ kind }) => kind)),
      ['approval.resolved'],
    );
    assert.equal(heard.length, 20);
  });

  it('reports no event twice when the file is truncated, replaced or has repeated lines', async () => {
    live.follow([placeOf('a')]);
    const events = [prompt('one', { atMs: now() }), completed({ atMs: now() })];
    tell('a', ...events);
    await until(() => statusOf('a') === 'waiting', 'the turn');
    tell('a', ...events);
    truncateSync(fileOf('a'), eventLine(events[0]!).length);
    await sleep(50);
    const other = `${fileOf('a')}.new`;
    writeFileSync(other, [...events, prompt('two', { atMs: now() })].map(eventLine).join(''));
    renameSync(other, fileOf('a'));
    await until(() => statusOf('a') === 'running', 'the second prompt', 2000);
    assert.equal(live.get('a')?.turnCount, 2);
    const told = news.flatMap(({ events: each }) => each.map(({ id }) => id));
    assert.equal(new Set(told).size, told.length);
  });

  it('has no status for a program without events, and skips damaged lines', async () => {
    live.follow([placeOf('a'), placeOf('b')]);
    appendFileSync(fileOf('b'), 'no JSON\n{"kind":"user.prompt"}\n\u0000\n');
    tell('b', prompt('go', { atMs: now() }));
    await until(() => statusOf('b') === 'running', 'the good line');
    assert.equal(live.status('a'), undefined);
    assert.equal(await readLiveSession(placeOf('a').folder), undefined);
    assert.equal((await readLiveSession(placeOf('b').folder))?.turnCount, 1);
  });

  it('stops following sessions that are no longer listed', async () => {
    live.follow([placeOf('a')]);
    tell('a', prompt('go', { atMs: now() }));
    await until(() => statusOf('a') === 'running', 'running');
    live.follow([]);
    assert.equal(live.status('a'), undefined);
    news.length = 0;
    tell('a', completed({ atMs: now() }));
    await sleep(100);
    assert.deepEqual(news, []);
  });

  it('becomes idle as time passes, and reports it once', async () => {
    live.follow([placeOf('a')]);
    const longAgo = now() - 119_700;
    tell('a', prompt('go', { atMs: longAgo - 5000 }), completed({ atMs: longAgo }));
    await until(() => statusOf('a') === 'waiting', 'waiting');
    await until(() => statusOf('a') === 'idle', 'idle', 2000);
    assert.equal(live.status('a')?.isPromptReady, true);
    assert.equal(news.filter(({ status }) => status.status === 'idle').length, 1);
  });
});
