import { errorCode } from '../../../base/errors.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { countOf, fieldsOf, parseFields, textOf, type Fields } from '../../common/untrusted.ts';
import { INDEX_FILE, TRANSCRIPTS_FOLDER } from './transcriptCopier.ts';

/** A line of the index file that tells how many lines each copy had at a time. */
export interface CopyMark {
  readonly timeNs: bigint;
  /** The wall clock, which agents use, minus the recorder's clock. */
  readonly skewNs: bigint;
  readonly lines: Fields;
}

export interface CopiedTranscript {
  /** The file name of the copy. */
  readonly name: string;
  /** The agent's own file. */
  readonly source: string;
  /** Whether the transcript belongs to a parent session, from which this session was forked. */
  readonly isBase: boolean;
  readonly lines: readonly string[];
}

export interface CopiedTranscripts {
  readonly transcripts: readonly CopiedTranscript[];
  readonly marks: readonly CopyMark[];
}

/** Reads the transcripts that were copied into a session's folder. Skips damaged lines. */
export async function readCopiedTranscripts(sessionFolder: string): Promise<CopiedTranscripts> {
  const folder = path.join(sessionFolder, TRANSCRIPTS_FOLDER);
  const transcripts: CopiedTranscript[] = [];
  const marks: CopyMark[] = [];
  for (const line of await completeLines(path.join(folder, INDEX_FILE))) {
    const fields = parseFields(line) ?? {};
    const name = textOf(fields['file']);
    const source = textOf(fields['source']);
    if (name !== undefined && source !== undefined && path.basename(name) === name) {
      const isBase = fields['isBase'] === true;
      const lines = await completeLines(path.join(folder, name));
      transcripts.push({ name, source, isBase, lines });
    }
    const { ts_ns: timeNs, skew_ns: skewNs, lines } = fields;
    if (typeof timeNs !== 'bigint' || !Number.isSafeInteger(skewNs)) continue;
    marks.push({ timeNs, skewNs: BigInt(skewNs as number), lines: fieldsOf(lines) });
  }
  return { transcripts, marks };
}

/** How many lines of a copy certainly existed at a moment. */
export function certainLines(marks: readonly CopyMark[], name: string, timeNs: bigint): number {
  return countOf(markBefore(marks, timeNs)?.lines[name]) ?? 0;
}

/** The last mark at or before a moment, which says what certainly existed then. */
export function markBefore(marks: readonly CopyMark[], timeNs: bigint): CopyMark | undefined {
  return marks.findLast((mark) => mark.timeNs <= timeNs);
}

/** The complete lines of a file; none when the file doesn't exist. */
export async function completeLines(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').slice(0, -1);
}
