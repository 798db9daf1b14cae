import { appendFile, mkdir, readFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a reader to see the first half of a line alone. */
const HALF_LINE_PAUSE_MS = 15;

export interface TranscriptFile {
  appendLine(record: object): Promise<void>;
  end(): Promise<void>;
}

export interface TranscriptDamage {
  /** See `TranscriptSettings`. */
  readonly partialLines: boolean;
  readonly truncateBytes: number;
}

/** The transcript of an agent without one. */
export const noTranscriptFile: TranscriptFile = {
  appendLine: () => Promise.resolve(),
  end: () => Promise.resolve(),
};

/** One JSON object per line, written when `appendLine` returns, readable only for the owner. */
export async function openTranscriptFile(
  file: string,
  { partialLines, truncateBytes }: TranscriptDamage,
): Promise<TranscriptFile> {
  await mkdir(path.dirname(file), { recursive: true });
  const append = (text: string): Promise<void> => appendFile(file, text, { mode: 0o600 });
  await append('');
  return {
    async appendLine(record) {
      const line = `${JSON.stringify(record)}\n`;
      if (!partialLines) return append(line);
      const middle = Math.floor(line.length / 2);
      await append(line.slice(0, middle));
      await sleep(HALF_LINE_PAUSE_MS);
      await append(line.slice(middle));
    },
    async end() {
      if (truncateBytes === 0) return;
      const { size } = await stat(file);
      await truncate(file, Math.max(0, size - truncateBytes));
    },
  };
}

/** The session and last record of a transcript to continue; skips an incomplete last line. */
export async function readTranscriptEnd(
  file: string,
): Promise<{ sessionId: string | undefined; lastUuid: string | null }> {
  let sessionId: string | undefined;
  let lastUuid: string | null = null;
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    const record = parseRecord(line);
    sessionId = record?.sessionId ?? sessionId;
    lastUuid = record?.uuid ?? lastUuid;
  }
  return { sessionId, lastUuid };
}

function parseRecord(line: string): { sessionId?: string; uuid?: string } | undefined {
  try {
    return JSON.parse(line) as { sessionId?: string; uuid?: string };
  } catch {
    return undefined;
  }
}
