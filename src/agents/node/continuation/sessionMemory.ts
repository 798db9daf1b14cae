import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import type { AgentEvent } from '../../common/events/events.ts';
import { KnownResults } from '../../common/trimming/knownResults.ts';
import { readEvents } from '../../../sessions/node/eventsFile.ts';
import { withBaseLines } from '../capture/codexForks.ts';
import { rowsOfSessions } from '../capture/databaseTail.ts';
import { transcriptOfSession } from '../capture/findTranscript.ts';
import {
  certainLines,
  completeLines,
  markBefore,
  readCopiedTranscripts,
  type CopyMark,
  type CopiedTranscript,
} from '../capture/copiedTranscripts.ts';

/** An agent's session up to a moment. */
export interface SessionMemory {
  /** The events up to the moment, in the order of their arrival. */
  readonly events: readonly AgentEvent[];
  readonly transcript: FoundMemory | undefined;
  /** Why there is no transcript, as part of a sentence, if known. */
  readonly problem?: string;
  /** Whether any of the conversation was captured, before or after the moment. */
  readonly isCaptured: boolean;
  readonly results: KnownResults;
  /** The moment's time by the agent's clock. */
  readonly untilNs: bigint;
}

export interface FoundMemory {
  /** The agent's own file, which may be gone. */
  readonly source: string;
  readonly lines: readonly string[];
  /**
   * The lines that the recorder copied, which it does not do during a pause; all lines if there is
   * no copy.
   */
  readonly recorded: readonly string[];
  readonly certainLines: number;
}

interface MemoryRequest {
  readonly adapter: AgentAdapter;
  readonly place: AgentPlace;
  readonly sessionFolder: string;
  readonly timeNs: bigint;
}

/** Agents record whole milliseconds, so records of the moment's millisecond are included. */
const CLOCK_STEP_NS = 1_000_000n;

/** Reads the copied transcripts and the agent's own files, without writing to them. */
export async function readSessionMemory(request: MemoryRequest): Promise<SessionMemory> {
  const { adapter, sessionFolder, timeNs } = request;
  const copies = await readCopiedTranscripts(sessionFolder);
  const skewNs = markBefore(copies.marks, timeNs)?.skewNs ?? 0n;
  const untilNs = timeNs + skewNs + CLOCK_STEP_NS - 1n;
  const all = await readEvents(sessionFolder);
  const isBefore = ({ source, timeNs: at }: AgentEvent): boolean =>
    at <= (source === 'transcript' ? untilNs : timeNs);
  const events = all.filter(isBefore);
  const results = KnownResults.of(events);
  const own = copies.transcripts.filter(({ isBase }) => !isBase);
  const bases = copies.transcripts.filter(({ isBase }) => isBase);
  const transcript = await findMemory(request, own, copies.marks, events);
  const isCaptured = transcript !== undefined || all.some(isFromAgent);
  if (!transcript) return { events, transcript, results, untilNs, isCaptured };
  const lines = await withBaseLines(adapter, request.place, transcript.lines, bases);
  if (!lines) {
    const problem = 'it was forked from a session that is gone';
    return { events, transcript: undefined, problem, results, untilNs, isCaptured };
  }
  const added = lines.length - transcript.lines.length;
  const certain = transcript.certainLines > 0 ? transcript.certainLines + added : 0;
  const found = { ...transcript, lines, certainLines: certain };
  return { events, transcript: found, results, untilNs, isCaptured };
}

/** Whether the event comes from the conversation, and not from the terminal's title or state. */
function isFromAgent({ source }: AgentEvent): boolean {
  return source === 'hook' || source === 'transcript';
}

async function findMemory(
  request: MemoryRequest,
  copies: readonly CopiedTranscript[],
  marks: readonly CopyMark[],
  events: readonly AgentEvent[],
): Promise<FoundMemory | undefined> {
  const { adapter, place, timeNs } = request;
  const where = adapter.transcripts(place);
  const found = copies.map(({ name, source, lines }) => ({
    source,
    lines,
    recorded: lines,
    certainLines: certainLines(marks, name, timeNs),
  }));
  if (where.kind === 'sqlite') return databaseMemory(where.file, found, events);
  const complete = await Promise.all(found.map(withOriginal));
  const session = events.findLast(({ agentSession }) => agentSession !== undefined)?.agentSession;
  if (complete.length === 0 && session !== undefined) {
    const source = await transcriptOfSession(adapter, where, session);
    if (source !== undefined) {
      const lines = await completeLines(source);
      complete.push({ source, lines, recorded: lines, certainLines: 0 });
    }
  }
  return lastUsed(adapter, complete, timeNs);
}

/** Uses the agent's own file if it continues the copy, which may be incomplete. */
async function withOriginal(found: FoundMemory): Promise<FoundMemory> {
  // The copy suffices when the agent's file can't be read.
  const original = await completeLines(found.source).catch(() => []);
  const isSame = found.lines.every((line, index) => line === original[index]);
  return isSame && original.length > found.lines.length ? { ...found, lines: original } : found;
}

/** Appends the database's present rows to the copied ones, so that the present rows win. */
async function databaseMemory(
  file: string,
  found: readonly FoundMemory[],
  events: readonly AgentEvent[],
): Promise<FoundMemory | undefined> {
  const sessions = new Set(events.flatMap(({ agentSession }) => agentSession ?? []));
  // The copied rows suffice when the database can't be read.
  const current = existsSync(file) ? await rowsOfSessions(file, [...sessions]).catch(() => []) : [];
  const copied = found.flatMap((each) => each.lines);
  const lines = [...copied, ...current];
  const source = found.at(-1)?.source ?? file;
  const recorded = copied.length > 0 ? copied : lines;
  return lines.length === 0 ? undefined : { source, lines, recorded, certainLines: 0 };
}

/** The transcript used last: an agent may begin new sessions, in new files, while it runs. */
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

/** The file name for the copy of the untrimmed transcript. */
export function sourceName({ source }: FoundMemory): string {
  const name = path.basename(source);
  return name.endsWith('.jsonl') ? name : `${name}.rows.jsonl`;
}
