import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import { countOf, fieldsOf, parseFields, textOf } from '../../common/untrusted.ts';
import { transcriptOfSession } from './findTranscript.ts';
import { completeLines } from './copiedTranscripts.ts';

/** Limits the chain of forks, which could be circular. */
const MAX_BASES = 64;

/** The part of a parent's transcript that a fork starts with. */
export interface BaseTranscript {
  readonly source: string;
  readonly lines: readonly string[];
}

/**
 * Returns the complete lines of a transcript. The file of a Codex fork has only its own lines and
 * refers to a position in its parent's file, whose lines are put before them. Undefined when the
 * parent's file is gone.
 * @param copies copies of parents' files, in case the agent removed the files
 */
export async function withBaseLines(
  adapter: AgentAdapter,
  place: AgentPlace,
  lines: readonly string[],
  copies: readonly BaseTranscript[],
): Promise<readonly string[] | undefined> {
  let complete = lines;
  for (let bases = 0; bases < MAX_BASES; bases++) {
    const base = baseOf(complete[0]);
    if (!base) return complete;
    const copy = copies.find(({ source }) => adapter.sessionOfPath(source) === base.session);
    const before = (await baseTranscript(adapter, place, base)) ?? copy;
    if (!before) return undefined;
    const [head = '', ...own] = complete;
    // Keeps the fork's head, since the head of its base names another session.
    const [baseHead = '', ...rest] = before.lines;
    complete = [withBaseOf(head, baseHead), ...rest, ...own];
  }
  return complete;
}

/** The parents of a transcript with this first line, nearest first, up to the first missing one. */
export async function baseTranscripts(
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
  const lines = await completeLines(source);
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

/** The fork's own head, with the parent that the base's head refers to. */
function withBaseOf(head: string, baseHead: string): string {
  const fields = parseFields(head) ?? {};
  const history = fieldsOf(parseFields(baseHead)?.['payload'])['history_base'];
  const payload = { ...fieldsOf(fields['payload']), history_base: history ?? null };
  return JSON.stringify({ ...fields, payload });
}
