// Run by the row `sessions`: follows 100 sessions, ten of them active, and prints the cost as JSON.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventLine, parseEventLine } from '../src/agents/common/events/eventLine.ts';
import type { AgentEvent } from '../src/agents/common/events/events.ts';
import { LiveSessions } from '../src/agents/node/capture/liveSessions.ts';

const SESSIONS = 100;
const BUSY = 10;
const IDLE_MS = 10_000;
const BUSY_MS = 5000;
const EVENTS_PER_TICK = 2;
const TICK_MS = 100;
const HISTORY = 2000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'ah-bench-'));
const places = Array.from({ length: SESSIONS }, (_, index) => {
  const id = `s${index}`;
  mkdirSync(path.join(folder, id));
  return { id, folder: path.join(folder, id), recording: path.join(folder, id, 'session.ahr') };
});
let nth = 0;

function event(more: object): AgentEvent {
  return {
    id: `e${++nth}`,
    source: 'hook',
    confidence: 'high',
    agent: 'claudeCode',
    timeNs: BigInt(Date.now()) * 1_000_000n,
    ...more,
  } as AgentEvent;
}

function tell(index: number, ...events: readonly AgentEvent[]): void {
  const file = path.join(folder, `s${index}`, 'session.events.jsonl');
  appendFileSync(file, events.map(eventLine).join(''));
}

function work(index: number): AgentEvent[] {
  const callId = `c${++nth}`;
  const input = { command: `npm test -- part-${nth % 50} ${'x'.repeat(200)}` };
  const call = {
    kind: 'tool.call',
    callId,
    tool: 'Bash',
    action: 'shell',
    input,
    title: 'npm test',
  };
  const result = { kind: 'tool.result', callId, tool: 'Bash', outcome: 'ok', files: [`f${index}`] };
  return [event(call), event({ ...result, summary: 'y'.repeat(500) })];
}

async function cpuPercent(milliseconds: number, during?: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  const start = performance.now();
  await (during ? during() : sleep(milliseconds));
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1000 / (performance.now() - start)) * 100;
}

function heapKilobytes(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1024;
}

try {
  for (let index = 0; index < SESSIONS; index++) {
    tell(index, event({ kind: 'user.prompt', text: 'Begin' }));
    for (let count = 0; count < HISTORY / 2; count++) tell(index, ...work(index));
    tell(index, event({ kind: 'turn.completed', outcome: 'done' }));
  }
  const before = heapKilobytes();
  let parsed = 0;
  const live = new LiveSessions((line) => {
    parsed++;
    return parseEventLine(line);
  });
  let notified = 0;
  let heard = 0;
  live.onNews(({ events }) => (notified += events.length));
  for (let listener = 1; listener < 20; listener++) live.onNews(() => heard++);
  live.follow(places);
  while (places.some(({ id }) => live.status(id)?.status !== 'waiting')) await sleep(50);
  await sleep(1000);
  const kilobytesPerSession = (heapKilobytes() - before) / SESSIONS;
  const idleCpuPercent = await cpuPercent(IDLE_MS);
  parsed = 0;

  const start = nth;
  let written = 0;
  const busyCpuPercent = await cpuPercent(BUSY_MS, async () => {
    const end = performance.now() + BUSY_MS;
    while (performance.now() < end) {
      for (let index = 0; index < BUSY; index++) {
        for (let count = 0; count < EVENTS_PER_TICK / 2; count++) {
          const events = work(index);
          written += events.length;
          tell(index, ...events);
        }
      }
      await sleep(TICK_MS);
    }
  });
  await sleep(1500);
  const eventsPerSecond = Math.round(written / (BUSY_MS / 1000));

  let worstDelayMs = 0;
  for (let round = 0; round < 50; round++) {
    const index = round % SESSIONS;
    const wanted = live.status(`s${index}`)?.status === 'running' ? 'waiting' : 'running';
    const fact =
      wanted === 'running'
        ? event({ kind: 'user.prompt', text: `Round ${round}` })
        : event({ kind: 'turn.completed', outcome: 'done' });
    const since = performance.now();
    tell(index, fact);
    written++;
    while (live.status(`s${index}`)?.status !== wanted) await sleep(2);
    worstDelayMs = Math.max(worstDelayMs, performance.now() - since);
  }
  live.dispose();
  if (heard === 0 || nth === start) throw new Error('Nothing was heard.');
  console.log(
    JSON.stringify({
      idleCpuPercent,
      busyCpuPercent,
      kilobytesPerSession,
      eventsPerSecond,
      worstDelayMs,
      notified,
      parsed,
      written,
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
