import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { countOf, fieldsOf, parseFields, textOf, type Fields } from '../../common/untrusted.ts';
import { INDEX_FILE, TRANSCRIPTS_FOLDER } from './transcriptKeeper.ts';

/** How much there was at a moment. */
export interface KeptMark {
  readonly timeNs: bigint;
  /** The agent's clock less ours. */
  readonly skewNs: bigint;
  readonly lines: Fields;
}

export interface KeptTranscript {
  /** Its name among the copies. */
  readonly name: string;
  /** The file that the agent writes. */
  readonly source: string;
  /** It is of another session, from which this one began. */
  readonly isBase: boolean;
  readonly lines: readonly string[];
}

export interface KeptTranscripts {
  readonly transcripts: readonly KeptTranscript[];
  readonly marks: readonly KeptMark[];
}

/** The copies that were kept with a session; none for a session that has none. Damaged lines are left out. */
export async function readKeptTranscripts(sessionFolder: string): Promise<KeptTranscripts> {
  const folder = path.join(sessionFolder, TRANSCRIPTS_FOLDER);
  const transcripts: KeptTranscript[] = [];
  const marks: KeptMark[] = [];
  for (const line of await linesOf(path.join(folder, INDEX_FILE))) {
    const fields = parseFields(line) ?? {};
    const name = textOf(fields['file']);
    const source = textOf(fields['source']);
    if (name !== undefined && source !== undefined && path.basename(name) === name) {
      const isBase = fields['isBase'] === true;
      transcripts.push({ name, source, isBase, lines: await linesOf(path.join(folder, name)) });
    }
    const { ts_ns: timeNs, skew_ns: skewNs, lines } = fields;
    if (typeof timeNs !== 'bigint' || !Number.isSafeInteger(skewNs)) continue;
    marks.push({ timeNs, skewNs: BigInt(skewNs as number), lines: fieldsOf(lines) });
  }
  return { transcripts, marks };
}

/** That many lines of a copy were there at a moment, for certain. */
export function certainLines(marks: readonly KeptMark[], name: string, timeNs: bigint): number {
  return countOf(markBefore(marks, timeNs)?.lines[name]) ?? 0;
}

/** The last one that is not after the moment. */
export function markBefore(marks: readonly KeptMark[], timeNs: bigint): KeptMark | undefined {
  return marks.findLast((mark) => mark.timeNs <= timeNs);
}

/** The whole lines of a file; none where there is none. */
export async function linesOf(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').slice(0, -1);
}
