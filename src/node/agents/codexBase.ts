import type { AgentAdapter, AgentPlace } from '../../agents/adapter.ts';
import { countOf, fieldsOf, parseFields, textOf } from '../../agents/untrusted.ts';
import { transcriptOfSession } from './findTranscript.ts';
import { linesOf } from './keptTranscripts.ts';

/** A fork of a fork of a fork; more is a circle. */
const MAX_BASES = 64;

/**
 * The whole of a transcript. Codex's forks have only what is their own, and say where in the file of another session they
 * began; that part comes first here. Nothing, when that file is gone.
 */
export async function flattenedLines(
  adapter: AgentAdapter,
  place: AgentPlace,
  lines: readonly string[],
): Promise<readonly string[] | undefined> {
  const where = adapter.transcripts(place);
  let whole = lines;
  for (let bases = 0; where.kind === 'files' && bases < MAX_BASES; bases++) {
    const base = baseOf(whole[0]);
    if (!base) return whole;
    const file = await transcriptOfSession(adapter, where, base.session);
    if (file === undefined) return undefined;
    const before = await linesOf(file);
    const kept = before.filter((line, index) => (ordinalOf(line) ?? index) < base.ordinal);
    const [head, ...own] = whole;
    // The head of the fork names the session; that of its base would name the other.
    const [baseHead = '', ...rest] = kept;
    whole = [withBaseOf(head!, baseHead), ...rest, ...own];
  }
  return whole;
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
