import { open, readFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { eventLine, parseEventLine } from '../agents/eventLine.ts';
import type { AgentEvent } from '../agents/events.ts';
import { Sequencer } from '../base/sequencer.ts';

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

  append(events: readonly AgentEvent[]): Promise<void> {
    return this.#order.queue(async () => {
      await this.#handle.write(events.map(eventLine).join(''));
    });
  }

  close(): Promise<void> {
    return this.#order.queue(() => this.#handle.close());
  }
}

/** None when there is no such file; lines that cannot be understood are left out. */
export async function readEvents(sessionFolder: string): Promise<AgentEvent[]> {
  let text: string;
  try {
    text = await readFile(path.join(sessionFolder, EVENTS_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    const event = line === '' ? '' : parseEventLine(line);
    return typeof event === 'string' ? [] : [event];
  });
}
