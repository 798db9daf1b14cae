import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventLine, parseEventLine } from '../../agents/common/eventLine.ts';
import type { AgentEvent } from '../../agents/common/events.ts';
import { appendLinesNow, LineFile } from '../../platform/node/files/lineFile.ts';

export const EVENTS_FILE = 'session.events.jsonl';

/** `session.events.jsonl`: what the agent did, one line each, in the order in which it became known. */
export class EventsFile {
  readonly #lines: LineFile;

  private constructor(lines: LineFile) {
    this.#lines = lines;
  }

  static async open(sessionFolder: string): Promise<EventsFile> {
    return new EventsFile(await LineFile.open(path.join(sessionFolder, EVENTS_FILE)));
  }

  append(events: readonly AgentEvent[]): Promise<void> {
    return this.#lines.append(events.map(eventLine).join(''));
  }

  close(): Promise<void> {
    return this.#lines.close();
  }
}

/** For whoever has one to tell, and no more. */
export function appendEvent(sessionFolder: string, event: AgentEvent): void {
  appendLinesNow(path.join(sessionFolder, EVENTS_FILE), eventLine(event));
}

/** None when there is no such file; lines that cannot be understood are left out, and each event comes once. */
export async function readEvents(sessionFolder: string): Promise<AgentEvent[]> {
  let text: string;
  try {
    text = await readFile(path.join(sessionFolder, EVENTS_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const events = new Map<string, AgentEvent>();
  for (const line of text.split('\n')) {
    const event = line === '' ? '' : parseEventLine(line);
    if (typeof event !== 'string' && !events.has(event.id)) events.set(event.id, event);
  }
  return [...events.values()];
}
