import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync, appendFileSync } from 'node:fs';
import path from 'node:path';
import { adapterOf } from '../../../../../src/agents/adapters/adapters.ts';
import {
  ConcernDetector,
  STUCK_NS,
} from '../../../../../src/agents/common/status/concernDetector.ts';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import { LiveSession } from '../../../../../src/agents/common/liveSession.ts';
import { durationMs, turnsOf } from '../../../../../src/agents/common/turns/turns.ts';
import { AgentCapture } from '../../../../../src/agents/node/capture/agentCapture.ts';
import { until } from '../../../../support/ah.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';
import { spawn } from 'node:child_process';

describe('AgentCapture', function () {
  this.timeout(20_000);
  let capture: AgentCapture | undefined;
  let events: AgentEvent[];
  let clock: FakeClock;
  beforeEach(() => {
    events = [];
    // Transcripts are found by file times, which use the system's clock.
    clock = new FakeClock(Date.now());
  });
  afterEach(() => capture?.dispose());
  // Registered after the hook above, so that capture ends before its folder is removed.
  const folder = useTemporaryFolder();

  async function open(
    agent: string,
    resumed?: string,
    handled?: Promise<void>,
  ): Promise<AgentCapture> {
    capture = await AgentCapture.open({
      adapter: adapterOf(agent)!,
      resumed,
      place: { env: {}, home: folder.path, cwd: '/w' },
      folder: path.join(folder.path, 'capture'),
      clock,
      timers: clock,
      mayBypassTrust: false,
      waitMs: () => 0,
      onEvents: (fresh) => {
        events.push(...fresh);
        return handled;
      },
      onError: (error) => assert.fail(String(error)),
    });
    return capture;
  }
  const kinds = () => events.map(({ kind }) => kind);
  const prompts = () =>
    events.flatMap((event) => (event.kind === 'user.prompt' ? [event.text] : []));
  const now = () => new Date(clock.nowMs).toISOString();
  const line = (value: object) => `${JSON.stringify(value)}\n`;

  it('ends a turn by the "ready" title of an agent that reports no end of turn', async () => {
    const gemini = await open('gemini');
    gemini.titleChanged('◇ Ready (w)');
    assert.deepEqual(kinds(), ['status.changed'], 'no end without a turn');
    const chats = path.join(folder.path, '.gemini/tmp/w/chats');
    mkdirSync(chats, { recursive: true });
    const file = path.join(chats, 'session-2026-01-01T00-00-0123abcd.jsonl');
    const startTime = now();
    const head = { sessionId: '0123abcd-1', projectHash: '/w', startTime, kind: 'main' };
    writeFileSync(file, line(head));
    const prompt = { id: 'm1', timestamp: startTime, type: 'user', content: [{ text: 'go' }] };
    appendFileSync(file, line(prompt));
    await clock.advanceUntil(() => prompts().length === 1, 'the prompt');
    gemini.titleChanged('✦ Working… (w)');
    gemini.titleChanged('◇ Ready (w)');
    assert.ok(kinds().includes('turn.completed'), 'the end of the turn');
    const [turn] = turnsOf(events);
    assert.equal(turn?.outcome, 'done');
    // An agent that waits for a prompt is not stuck.
    const detector = new ConcernDetector();
    for (const event of events) detector.push(event);
    assert.deepEqual(detector.at(clock.nowNs() + 2n * STUCK_NS), []);
  });

  it('ends a short turn whose prompt is read after the title', async () => {
    const gemini = await open('gemini');
    gemini.titleChanged('◇ Ready (w)');
    const chats = path.join(folder.path, '.gemini/tmp/w/chats');
    mkdirSync(chats, { recursive: true });
    const file = path.join(chats, 'session-2026-01-01T00-00-0123abcd.jsonl');
    const head = { sessionId: '0123abcd-1', projectHash: '/w', kind: 'main' };
    writeFileSync(file, line({ ...head, startTime: now() }));
    await clock.advanceUntil(() => kinds().includes('session.started'), 'the session');
    gemini.titleChanged('✦ Working… (w)');
    const timestamp = now();
    await clock.advance(20);
    gemini.titleChanged('◇ Ready (w)');
    const answer = { id: 'm2', timestamp, type: 'gemini', content: 'Hello.' };
    const prompt = { id: 'm1', timestamp, type: 'user', content: [{ text: 'hi' }] };
    appendFileSync(file, line(prompt) + line(answer));
    await clock.advanceUntil(() => kinds().includes('assistant.message'), 'the answer');
    const live = new LiveSession();
    for (const event of events) live.push(event);
    assert.equal(live.status(clock.nowNs()).status, 'waiting');
    assert.deepEqual(
      live.turns.map(({ prompt: asked, outcome, answer: said }) => [asked, outcome, said]),
      [['hi', 'done', 'Hello.']],
    );
  });

  it('waits after resuming a session that was trimmed in the middle of a turn', async () => {
    const session = '11111111-0000-4000-8000-000000000000';
    const project = path.join(folder.path, '.claude/projects/-w');
    mkdirSync(project, { recursive: true });
    const file = path.join(project, `${session}.jsonl`);
    const past = new Date(clock.nowMs - 60_000).toISOString();
    const common = { sessionId: session, cwd: '/w', timestamp: past };
    const user = { ...common, type: 'user', uuid: 'u1', message: { role: 'user', content: 'go' } };
    const tool = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } };
    const message = { role: 'assistant', content: [tool] };
    const called = { ...common, type: 'assistant', uuid: 'a1', message };
    const calledAt = new Date(clock.nowMs - 50_000).toISOString();
    writeFileSync(file, line(user) + line({ ...called, timestamp: calledAt }));
    await open('claudeCode', session);
    await clock.advanceUntil(() => kinds().includes('turn.completed'), 'the end of the turn');
    const live = new LiveSession();
    for (const event of events) live.push(event);
    assert.equal(live.status(clock.nowNs()).status, 'waiting');
    assert.deepEqual(live.turns[0]?.tools[0]?.outcome, 'interrupted');
    assert.equal(durationMs(live.turns[0]), 10_000, 'without the time until the launch');
    // A prompt with the present time begins a turn.
    const timestamp = now();
    const next = { role: 'user', content: 'go on' };
    appendFileSync(file, line({ ...user, uuid: 'u2', timestamp, message: next }));
    await clock.advanceUntil(() => prompts().length === 2, 'the next prompt');
    live.push(events.at(-1)!);
    assert.equal(live.status(clock.nowNs()).status, 'running');
  });

  it('catches up although a hook call is still being handled', async () => {
    const claude = await open('claudeCode', undefined, new Promise<void>(() => {}));
    const relay = path.join(folder.path, 'capture/hooks/relay.sh');
    const child = spawn('/bin/sh', [relay, 'UserPromptSubmit'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(JSON.stringify({ session_id: 's', prompt: 'go' }));
    await until(() => prompts().includes('go'), 'the prompt');
    let isCaughtUp = false;
    void claude.catchUp().then(() => (isCaughtUp = true));
    await clock.advanceUntil(() => isCaughtUp, 'the capture to catch up');
  });

  it('follows the session of a hook and then the next one, not those of another agent', async () => {
    const state = path.join(folder.path, '.copilot/session-state');
    const ids = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
    const begin = (id: string, text: string) => {
      mkdirSync(path.join(state, id), { recursive: true });
      const timestamp = now();
      const start = { type: 'session.start', id: `s${id}`, timestamp };
      const message = { type: 'user.message', id: `u${id}`, timestamp, data: { content: text } };
      const head = line({ ...start, data: { sessionId: id, context: { cwd: '/w' } } });
      writeFileSync(path.join(state, id, 'events.jsonl'), head + line(message));
    };
    const copilot = await open('copilot');
    const [, plugin] = copilot.additions.args;
    const hook = async (id: string) => {
      const relay = path.join(path.dirname(plugin!), 'hooks/relay.sh');
      const child = spawn('/bin/sh', [relay, 'sessionStart'], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.stdin.end(JSON.stringify({ sessionId: id, timestamp: clock.nowMs, cwd: '/w' }));
      await new Promise((resolve) => child.on('close', resolve));
    };
    begin(ids[0]!, 'mine');
    begin(ids[1]!, 'of another');
    await hook(ids[0]!);
    await clock.advanceUntil(() => prompts().length > 0, 'the prompt');
    // The agent creates this file only after the last hook.
    const pending = clock.pendingTimers;
    await hook(ids[2]!);
    await until(() => clock.pendingTimers > pending, 'the session to be asked for again later');
    begin(ids[2]!, 'mine after a clear');
    await clock.advanceUntil(() => prompts().length > 1, 'the next prompt');
    assert.deepEqual(prompts(), ['mine', 'mine after a clear']);
  });

  it('follows an agent without hooks to its next conversation, not to that of another agent', async () => {
    const day = path.join(folder.path, '.codex/sessions/2026/01/01');
    mkdirSync(day, { recursive: true });
    const write = (digit: string, cwd: string, text: string, timestamp: string) => {
      const id = `${digit.repeat(8)}-0000-4000-8000-000000000000`;
      const head = line({ timestamp, type: 'session_meta', payload: { id, cwd } });
      const message = { type: 'user_message', message: text };
      const asked = line({ timestamp, type: 'event_msg', payload: message });
      const done = line({ timestamp, type: 'event_msg', payload: { type: 'task_complete' } });
      const file = path.join(day, `rollout-2026-01-01T00-00-00-${id}.jsonl`);
      writeFileSync(file, head + asked + done);
      // The first search uses the system's clock, later ones that of the capture.
      const changedS = Math.max(Date.now(), clock.nowMs) / 1000;
      utimesSync(file, changedS, changedS);
    };
    const codex = await open('codex');
    codex.stateReported('state=idle');
    codex.stateReported('state=working');
    write('1', '/w', 'first', now());
    await clock.advanceUntil(() => prompts().length === 1, 'the prompt');
    codex.stateReported('state=idle');
    await clock.advance(2100);
    codex.stateReported('state=working');
    // Other agents: one in this folder with an old prompt, and one in another folder.
    write('2', '/w', 'of the one next door', new Date(clock.nowMs - 60_000).toISOString());
    write('3', '/w2', 'elsewhere', now());
    write('4', '/w', 'after /new', now());
    codex.stateReported('state=idle');
    await clock.advanceUntil(() => prompts().length === 2, 'the next prompt');
    // From now on, prompts come from that transcript; an answered question starts no search.
    codex.stateReported('state=blocked');
    codex.stateReported('state=working');
    write('5', '/w', 'of another one next door', now());
    const soonMs = clock.nowMs + 2100;
    await clock.advanceUntil(() => clock.nowMs >= soonMs, 'a search that would have followed it');
    codex.stateReported('state=idle');
    codex.stateReported('state=working');
    write('6', '/w', 'after another /new', now());
    codex.stateReported('state=idle');
    await clock.advanceUntil(() => prompts().length > 2, 'the last prompt');
    assert.deepEqual(prompts(), ['first', 'after /new', 'after another /new']);
    const live = new LiveSession();
    for (const event of events) live.push(event);
    assert.deepEqual(
      live.turns.map(({ prompt, outcome }) => [prompt, outcome]),
      [
        ['first', 'done'],
        ['after /new', 'done'],
        ['after another /new', 'done'],
      ],
    );
  });

  it('uses little CPU without a transcript to follow, also with many old sessions', async () => {
    const day = path.join(folder.path, '.codex/sessions/2025/01/01');
    mkdirSync(day, { recursive: true });
    const id = '00000000-0000-4000-8000-0000000';
    for (let nth = 10_000; nth < 15_000; nth++) {
      writeFileSync(path.join(day, `rollout-2025-01-01T00-00-00-${id}${nth}.jsonl`), '');
    }
    await open('codex');
    // The first search is not measured.
    const search = async () => {
      await clock.advance(clock.nextDueMs - clock.nowMs);
      await until(() => clock.pendingTimers > 0, 'the end of the search');
    };
    await search();
    const before = process.cpuUsage();
    await search();
    const { user, system } = process.cpuUsage(before);
    const share = (user + system) / 1000 / (clock.nextDueMs - clock.nowMs);
    assert.ok(share < 0.05, `${(share * 100).toFixed(1)} % of a processor`);
  });
});
