import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { claudeCode, claudeProjectName } from '../../../../../src/agents/adapters/claudeCode.ts';
import { eventLine, parseEventLine } from '../../../../../src/agents/common/events/eventLine.ts';
import { DROPPABLE, type AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import { LiveSession } from '../../../../../src/agents/common/liveSession.ts';
import { AgentCapture } from '../../../../../src/agents/node/capture/agentCapture.ts';
import { LiveSessions } from '../../../../../src/agents/node/capture/liveSessions.ts';
import { EventsFile, readEvents } from '../../../../../src/sessions/node/eventsFile.ts';
import { until } from '../../../../support/ah.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';
import {
  asked,
  call,
  completed,
  message,
  prompt,
  resolved,
  result,
} from '../../common/someEvents.ts';

const SESSIONS = 100;
const MAX_KILOBYTES = 1024;

describe('limits of agent sessions', function () {
  this.timeout(60_000);
  const temporary = useTemporaryFolder();

  /** Calls without results, questions without answers, and edits and failures that all differ. */
  function hostileEvents(count: number): AgentEvent[] {
    const long = 'x'.repeat(60_000);
    const events: AgentEvent[] = [prompt(long)];
    for (let nth = 0; nth < count; nth++) {
      const id = `c${nth}`;
      const input = { command: `${nth} ${long}` };
      const edit = { file_path: `/w/${nth}`, old_string: `${long}a`, new_string: `${long}${nth}` };
      events.push(call(`open${nth}`, 'Bash', input), asked(`open${nth}`, 'Bash', input));
      events.push(call(id, 'Bash', input), result(id, { outcome: 'failed', summary: long }));
      events.push(call(`edit${nth}`, 'Edit', edit), message(long));
      if (nth % 10 === 9) events.push(prompt(`${nth} ${long}`));
    }
    return events;
  }

  /** A separate function, so that its memory can be collected when it returns. */
  function feed(session: LiveSession): void {
    for (const event of hostileEvents(60)) session.push(parsedAgain(event));
  }

  it('bound the memory of a session', () => {
    const before = heapKilobytes();
    const session = new LiveSession();
    for (let round = 0; round < 3; round++) feed(session);
    const used = heapKilobytes() - before;
    assert.ok(session.recent.length <= 200 && session.turns.length <= 10);
    assert.ok(session.recent.map(eventLine).join('').length <= 64 * 1024);
    assert.ok(used < MAX_KILOBYTES, `${used.toFixed(0)} KB`);
  });

  it('do not apply to the file, which has all important events in order', async () => {
    const file = await EventsFile.open(temporary.path);
    const events: AgentEvent[] = [];
    for (let nth = 0; nth < 3000; nth++) {
      const id = `c${nth}`;
      events.push(prompt(`p${nth}`), call(id, 'Bash', { command: 'x' }), asked(id, 'Bash', null));
      events.push(resolved(id, 'allowed'), result(id), message('said'), completed());
    }
    assert.ok(events.every(({ kind }) => !DROPPABLE.has(kind)));
    await Promise.all(events.map((event) => file.append([event])));
    await file.close();
    const kept = await readEvents(temporary.path);
    assert.deepEqual(
      kept.map(({ id }) => id),
      events.map(({ id }) => id),
    );
  });

  it('allow a hundred sessions, with each event parsed once for all listeners', async () => {
    let parsed = 0;
    const timers = new FakeClock();
    const parse = (line: string) => {
      parsed++;
      return parseEventLine(line);
    };
    const live = new LiveSessions(parse, timers);
    const places = Array.from({ length: SESSIONS }, (_, nth) => {
      const folder = path.join(temporary.path, `s${nth}`);
      mkdirSync(folder);
      return { id: `s${nth}`, folder, recording: '' };
    });
    const tell = (nth: number, ...events: readonly AgentEvent[]) =>
      appendFileSync(
        path.join(places[nth]!.folder, 'session.events.jsonl'),
        events.map(eventLine).join(''),
      );
    let heard = 0;
    for (let listener = 0; listener < 20; listener++) live.onNews(() => heard++);
    for (let nth = 0; nth < SESSIONS; nth++) tell(nth, prompt('a'), completed());
    live.follow(places);
    await until(() => places.every(({ id }) => live.get(id)?.turnCount === 1), 'all to be read');
    assert.equal(parsed, SESSIONS * 2);
    for (let nth = 0; nth < 10; nth++) tell(nth, prompt('b', { atMs: Date.now() }));
    await until(() => places.slice(0, 10).every(({ id }) => isRunning(live, id)), 'ten to work');
    for (let asker = 0; asker < 50; asker++) for (const { id } of places) live.status(id);
    live.follow(places);
    // Long enough for every file to be polled again.
    await pass(timers, 1500, SESSIONS);
    assert.equal(parsed, SESSIONS * 2 + 10);
    assert.equal(heard % 20, 0);
    assert.ok(heard >= 200, `${heard}`);
    live.dispose();
  });

  it('allow no record to be parsed twice, however often its file changes', async () => {
    const home = temporary.path;
    const folder = path.join(home, '.claude/projects', claudeProjectName('/w'));
    mkdirSync(folder, { recursive: true });
    const transcript = path.join(folder, '11111111-2222-4333-8444-555555555555.jsonl');
    let parsed = 0;
    const told: AgentEvent[] = [];
    const clock = new FakeClock(Date.now());
    const capture = await AgentCapture.open({
      adapter: {
        ...claudeCode,
        createParser: () => {
          const parser = claudeCode.createParser();
          return { push: (line, timeNs) => (parsed++, parser.push(line, timeNs)) };
        },
      },
      place: { env: {}, home, cwd: '/w' },
      folder: path.join(home, 'agent'),
      clock,
      timers: clock,
      mayBypassTrust: false,
      waitMs: () => 0,
      onEvents: (events) => void told.push(...events),
      onError: (error) => assert.fail(String(error)),
    });
    const line = (nth: number) =>
      `${JSON.stringify({
        type: 'user',
        uuid: `u${nth}`,
        timestamp: new Date().toISOString(),
        cwd: '/w',
        sessionId: 's',
        message: { role: 'user', content: `prompt ${nth}` },
      })}\n`;
    writeFileSync(transcript, line(0));
    await clock.advanceUntil(() => told.length > 0, 'the transcript to be followed');
    for (let nth = 1; nth < 50; nth++) {
      appendFileSync(transcript, line(nth).slice(0, 20));
      utimesSync(transcript, new Date(), new Date());
      appendFileSync(transcript, line(nth).slice(20));
      utimesSync(transcript, new Date(), new Date());
      await sleep(5);
    }
    const prompts = () => told.filter(({ kind }) => kind === 'user.prompt');
    await until(() => prompts().length >= 50, 'all prompts');
    await pass(clock, 1200, 1);
    await capture.finish();
    assert.equal(parsed, 50);
    assert.equal(prompts().length, 50);
  });
});

/** Advances the clock in steps, and lets each poll end before the next step. */
async function pass(clock: FakeClock, ms: number, files: number): Promise<void> {
  for (const endMs = clock.nowMs + ms; clock.nowMs < endMs;) {
    await clock.advance(100);
    await until(() => clock.pendingTimers === files, 'the polls to end');
  }
}

function isRunning(live: LiveSessions, id: string): boolean {
  return live.status(id)?.status === 'running';
}

/** A deep copy, as parsed from a file. */
function parsedAgain(event: AgentEvent): AgentEvent {
  return parseEventLine(eventLine(event)) as AgentEvent;
}

function heapKilobytes(): number {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1024;
}
