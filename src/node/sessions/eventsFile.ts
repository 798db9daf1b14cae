import { open, readFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { eventLine, parseEventLine } from '../../agents/eventLine.ts';
import type { AgentEvent } from '../../agents/events.ts';
import { Sequencer } from '../../base/sequencer.ts';

export const EVENTS_FILE = 'session.events.jsonl';

/** `session.events.jsonl`: what the agent did, one line each, in the order in which it became known. */
export class EventsFile {
  readonly #handle: FileHandle;
  readonly #order = new Sequencer();

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(sessionFolder: string): Promise<EventsFile> {
    return new EventsFile(await open(path.join(sessionFolder, EVENTS_FILE), 'a', 0o600));
  }

  /** One write for all of them: who reads meanwhile sees whole lines, but for a full disk. */
  append(events: readonly AgentEvent[]): Promise<void> {
    const text = events.map(eventLine).join('');
    return this.#order.queue(() => this.#handle.appendFile(text));
  }

  close(): Promise<void> {
    return this.#order.queue(() => this.#handle.close());
  }
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
