import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringifyExactJson, type ExactValue } from '../../src/base/exactJson.ts';
import { eventLine } from '../../src/agents/common/events/eventLine.ts';
import { isFields, parseFields } from '../../src/agents/common/untrusted.ts';
import type { AgentRun } from './agentRun.ts';
import type { RecordedAgent } from './agentLab.ts';

const FOLDER = path.resolve(import.meta.dirname, '../fixtures/agents');
/** System prompts and lists of tools are large, and no test needs them. */
const MAX_TEXT = 160;
const MAX_ITEMS = 12;

/** With `UPDATE_FIXTURES=1`: stores an agent's records for tests that run without the agent. */
export function saveFixture(run: AgentRun, agent: string, name: string): void {
  if (!process.env['UPDATE_FIXTURES']) return;
  mkdirSync(path.join(FOLDER, agent), { recursive: true });
  const hooks = run.hookCalls.map(({ name: event, payload, seenNs }) =>
    stringifyExactJson({ name: event, seenNs, payload: small(payload, '') }),
  );
  save(path.join(FOLDER, agent, `${name}.hooks.jsonl`), hooks);
  const lines = run.lines
    .filter((line) => !line.startsWith('{"type":"api-request'))
    .map((line) => stringifyExactJson(small(parseFields(line), '')));
  if (lines.length > 0) save(path.join(FOLDER, agent, `${name}.transcript.jsonl`), lines);
}

/** The stored parts of a session: the transcript, the events and the times of tool snapshots. */
export function saveRecorded(recorded: RecordedAgent, agent: string, name: string): void {
  if (!process.env['UPDATE_FIXTURES']) return;
  mkdirSync(path.join(FOLDER, agent), { recursive: true });
  const { session, events, snapshots, cwd } = recorded;
  const kept = readFileSync(path.join(session.folder, 'agent/transcripts/1.jsonl'), 'utf8');
  const lines = kept
    .split('\n')
    .slice(0, -1)
    .filter((line) => !line.startsWith('{"type":"api-request'))
    .map((line) => stringifyExactJson(small(parseFields(line), '')));
  save(path.join(FOLDER, agent, `${name}.transcript.jsonl`), lines);
  const told = events.filter(({ kind }) => kind.startsWith('tool.'));
  save(
    path.join(FOLDER, agent, `${name}.events.jsonl`),
    told.map((event) => eventLine(event).trimEnd()),
  );
  const moments = snapshots.filter(
    ({ trigger, label }) => trigger === 'tool' && !label.startsWith('Prompt:'),
  );
  save(
    path.join(FOLDER, agent, `${name}.moments.jsonl`),
    moments.map(({ tsNs, label }) => stringifyExactJson({ ts_ns: tsNs, label, cwd })),
  );
}

function save(file: string, lines: readonly string[]): void {
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}

/** Shortens texts that no test needs. */
function small(value: ExactValue, name: string): ExactValue {
  if (typeof value === 'string') {
    const isNeeded = /command|input|arguments|path|cwd|prompt$/i.test(name);
    return isNeeded || value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}…`;
  }
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ITEMS).map((item: ExactValue) => small(item, name));
  }
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, small(member, key)]),
  );
}
