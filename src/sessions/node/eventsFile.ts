import { errorCode } from '../../base/errors.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventLine, parseEventLine } from '../../agents/common/events/eventLine.ts';
import type { AgentEvent } from '../../agents/common/events/events.ts';
import { appendLinesNow, LineFile } from '../../platform/node/files/lineFile.ts';

export const EVENTS_FILE = 'session.events.jsonl';

/**
 * `session.events.jsonl`: the events of the agent, one per line, in the order in which the recorder
 * learned of them.
 */
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

/** Appends a single event; returns when it is written. */
export function appendEvent(sessionFolder: string, event: AgentEvent): void {
  appendLinesNow(path.join(sessionFolder, EVENTS_FILE), eventLine(event));
}

/** All events, each once, without invalid lines; empty when the file does not exist. */
export async function readEvents(sessionFolder: string): Promise<AgentEvent[]> {
  let text: string;
  try {
    text = await readFile(path.join(sessionFolder, EVENTS_FILE), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
  const events = new Map<string, AgentEvent>();
  for (const line of text.split('\n')) {
    const event = line === '' ? '' : parseEventLine(line);
    if (typeof event !== 'string' && !events.has(event.id)) events.set(event.id, event);
  }
  return [...events.values()];
}
