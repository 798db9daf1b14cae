import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import { countOf, fieldsOf, parseFields, textOf } from '../../common/untrusted.ts';
import { transcriptOfSession } from './findTranscript.ts';
import { linesOf } from './keptTranscripts.ts';

/** A fork of a fork of a fork; more is a circle. */
const MAX_BASES = 64;

/** Where a part of a transcript is, and what it says. */
export interface BaseTranscript {
  readonly source: string;
  readonly lines: readonly string[];
}

/**
 * The whole of a transcript. Codex's forks have only what is their own, and say where in the file of another session they
 * began; that part comes first here. Nothing, when that file is gone.
 * @param kept copies of such files, for when the agent has removed its own
 */
export async function flattenedLines(
  adapter: AgentAdapter,
  place: AgentPlace,
  lines: readonly string[],
  kept: readonly BaseTranscript[],
): Promise<readonly string[] | undefined> {
  let whole = lines;
  for (let bases = 0; bases < MAX_BASES; bases++) {
    const base = baseOf(whole[0]);
    if (!base) return whole;
    const copy = kept.find(({ source }) => adapter.sessionOfPath(source) === base.session);
    const before = (await baseTranscript(adapter, place, base)) ?? copy;
    if (!before) return undefined;
    const [head, ...own] = whole;
    // The head of the fork names the session; that of its base would name the other.
    const [baseHead = '', ...rest] = before.lines;
    whole = [withBaseOf(head!, baseHead), ...rest, ...own];
  }
  return whole;
}

/** What a transcript with this first line needs of others, the nearest first; what is gone is left out. */
export async function basesOf(
  adapter: AgentAdapter,
  place: AgentPlace,
  head: string,
): Promise<BaseTranscript[]> {
  const found: BaseTranscript[] = [];
  for (let base = baseOf(head); base && found.length < MAX_BASES;) {
    const transcript = await baseTranscript(adapter, place, base);
    if (!transcript) break;
    found.push(transcript);
    base = baseOf(transcript.lines[0]);
  }
  return found;
}

async function baseTranscript(
  adapter: AgentAdapter,
  place: AgentPlace,
  { session, ordinal }: Base,
): Promise<BaseTranscript | undefined> {
  const where = adapter.transcripts(place);
  if (where.kind !== 'files') return undefined;
  const source = await transcriptOfSession(adapter, where, session);
  if (source === undefined) return undefined;
  const lines = await linesOf(source);
  return {
    source,
    lines: lines.filter((line, index) => (ordinalOf(line) ?? index) < ordinal),
  };
}

interface Base {
  readonly session: string;
  readonly ordinal: number;
}

function baseOf(line: string | undefined): Base | undefined {
  const fields = parseFields(line ?? '') ?? {};
  if (fields['type'] !== 'session_meta') return undefined;
  const base = fieldsOf(fieldsOf(fields['payload'])['history_base']);
  const session = textOf(base['thread_id']);
  const ordinal = countOf(base['end_ordinal_exclusive']);
  return session === undefined || ordinal === undefined ? undefined : { session, ordinal };
}

function ordinalOf(line: string): number | undefined {
  return countOf(parseFields(line)?.['ordinal']);
}

/** The fork's own head, which goes on where its base's head says. */
function withBaseOf(head: string, baseHead: string): string {
  const fields = parseFields(head) ?? {};
  const history = fieldsOf(parseFields(baseHead)?.['payload'])['history_base'];
  const payload = { ...fieldsOf(fields['payload']), history_base: history ?? null };
  return JSON.stringify({ ...fields, payload });
}
