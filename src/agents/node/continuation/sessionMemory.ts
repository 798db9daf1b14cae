import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import type { AgentEvent } from '../../common/events.ts';
import { KnownResults } from '../../trim/knownResults.ts';
import { readEvents } from '../../../sessions/node/eventsFile.ts';
import { flattenedLines } from '../capture/codexBase.ts';
import { rowsOfSessions } from '../capture/databaseTail.ts';
import { transcriptOfSession } from '../capture/findTranscript.ts';
import {
  certainLines,
  linesOf,
  markBefore,
  readKeptTranscripts,
  type KeptMark,
  type KeptTranscript,
} from '../capture/keptTranscripts.ts';

/** What is known of an agent's session up to a moment. */
export interface SessionMemory {
  /** Until the moment, in the order in which they became known. */
  readonly events: readonly AgentEvent[];
  readonly transcript: FoundMemory | undefined;
  /** Why there is no transcript, where that is known: a part of a sentence. */
  readonly problem?: string;
  /** Whether anything of the session was kept, up to the moment or later: otherwise nobody knows what was said. */
  readonly isKept: boolean;
  readonly results: KnownResults;
  /** The moment by the agent's clock. */
  readonly untilNs: bigint;
}

export interface FoundMemory {
  /** The file that the agent wrote, which may be gone. */
  readonly source: string;
  readonly lines: readonly string[];
  readonly certainLines: number;
}

interface MemoryRequest {
  readonly adapter: AgentAdapter;
  readonly place: AgentPlace;
  readonly sessionFolder: string;
  readonly timeNs: bigint;
}

/** Agents note whole milliseconds, and our measure of their clock has no finer ones: what bears that of the moment is in. */
const CLOCK_STEP_NS = 1_000_000n;

/** Reads what was kept with the session, and what the agent itself still has. Writes nothing. */
export async function readSessionMemory(request: MemoryRequest): Promise<SessionMemory> {
  const { adapter, sessionFolder, timeNs } = request;
  const kept = await readKeptTranscripts(sessionFolder);
  const skewNs = markBefore(kept.marks, timeNs)?.skewNs ?? 0n;
  const untilNs = timeNs + skewNs + CLOCK_STEP_NS - 1n;
  const all = await readEvents(sessionFolder);
  const isBefore = ({ source, timeNs: at }: AgentEvent): boolean =>
    at <= (source === 'transcript' ? untilNs : timeNs);
  const events = all.filter(isBefore);
  const results = KnownResults.of(events);
  const own = kept.transcripts.filter(({ isBase }) => !isBase);
  const bases = kept.transcripts.filter(({ isBase }) => isBase);
  const transcript = await findMemory(request, own, kept.marks, events);
  const isKept = transcript !== undefined || all.some(isAgents);
  if (!transcript) return { events, transcript, results, untilNs, isKept };
  const lines = await flattenedLines(adapter, request.place, transcript.lines, bases);
  if (!lines) {
    const problem = 'it was forked from a session that is gone';
    return { events, transcript: undefined, problem, results, untilNs, isKept };
  }
  const added = lines.length - transcript.lines.length;
  const certain = transcript.certainLines > 0 ? transcript.certainLines + added : 0;
  const found = { ...transcript, lines, certainLines: certain };
  return { events, transcript: found, results, untilNs, isKept };
}

/** Told by the agent itself; what its terminal shows is not enough to know what was said. */
function isAgents({ source }: AgentEvent): boolean {
  return source === 'hook' || source === 'transcript';
}

async function findMemory(
  request: MemoryRequest,
  kept: readonly KeptTranscript[],
  marks: readonly KeptMark[],
  events: readonly AgentEvent[],
): Promise<FoundMemory | undefined> {
  const { adapter, place, timeNs } = request;
  const where = adapter.transcripts(place);
  const found = kept.map(({ name, source, lines }) => ({
    ...{ source, lines },
    certainLines: certainLines(marks, name, timeNs),
  }));
  if (where.kind === 'sqlite') return databaseMemory(where.file, found, events);
  const complete = await Promise.all(found.map(withOriginal));
  const session = events.findLast(({ agentSession }) => agentSession !== undefined)?.agentSession;
  if (complete.length === 0 && session !== undefined) {
    const source = await transcriptOfSession(adapter, where, session);
    if (source !== undefined)
      complete.push({ source, lines: await linesOf(source), certainLines: 0 });
  }
  return lastUsed(adapter, complete, timeNs);
}

/** The agent's own file, where it is what was kept and more: the recorder may have been killed, or not be done yet. */
async function withOriginal(found: FoundMemory): Promise<FoundMemory> {
  const original = await linesOf(found.source).catch(() => []);
  const isSame = found.lines.every((line, index) => line === original[index]);
  return isSame && original.length > found.lines.length ? { ...found, lines: original } : found;
}

/** Everything that the database still has of the sessions comes last, and so counts. */
async function databaseMemory(
  file: string,
  found: readonly FoundMemory[],
  events: readonly AgentEvent[],
): Promise<FoundMemory | undefined> {
  const sessions = new Set(events.flatMap(({ agentSession }) => agentSession ?? []));
  const current = existsSync(file) ? await rowsOfSessions(file, [...sessions]).catch(() => []) : [];
  const lines = [...found.flatMap((each) => each.lines), ...current];
  const source = found.at(-1)?.source ?? file;
  return lines.length === 0 ? undefined : { source, lines, certainLines: 0 };
}

/** An agent may begin a new session, and so a new file, while it runs. */
function lastUsed(
  adapter: AgentAdapter,
  found: readonly FoundMemory[],
  timeNs: bigint,
): FoundMemory | undefined {
  if (found.length <= 1) return found[0];
  const usedNs = ({ lines }: FoundMemory): bigint => {
    const parser = adapter.createParser();
    const times = lines.flatMap((line) => parser.push(line, 0n)).map((event) => event.timeNs);
    return times.reduce((last, at) => (at <= timeNs && at > last ? at : last), 0n);
  };
  return found
    .map((memory) => ({ memory, lastNs: usedNs(memory) }))
    .reduce((last, each) => (each.lastNs >= last.lastNs ? each : last)).memory;
}

/** For the copy of what was there before it was cut. */
export function sourceName({ source }: FoundMemory): string {
  const name = path.basename(source);
  return name.endsWith('.jsonl') ? name : `${name}.rows.jsonl`;
}
