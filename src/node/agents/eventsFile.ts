import { open, readFile, type FileHandle } from 'node:fs/promises';
import { eventLine, parseEventLine } from '../../agents/eventLine.ts';
import type { AgentEvent } from '../../agents/events.ts';
import { Sequencer } from '../../base/sequencer.ts';

/** `session.events.jsonl`: what the agent did, one event per line, only ever added to. */
export class EventsFile {
  readonly #handle: FileHandle;
  readonly #writes = new Sequencer();

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(file: string): Promise<EventsFile> {
    return new EventsFile(await open(file, 'a', 0o600));
  }

  /** One write for all of them: who reads meanwhile sees whole lines, but for a full disk. */
  append(events: readonly AgentEvent[]): Promise<void> {
    const text = events.map(eventLine).join('');
    return this.#writes.queue(() => this.#handle.appendFile(text));
  }

  async close(): Promise<void> {
    await this.#writes.queue(() => this.#handle.close());
  }
}

export interface ReadEvents {
  /** In the order in which they became known; see `inOrder` for that in which they happened. */
  readonly events: readonly AgentEvent[];
  /** A sentence for each line that is none, with its number. */
  readonly problems: readonly string[];
}

/** What is good in the file, and what is not. No file is no event. */
export async function readEvents(file: string): Promise<ReadEvents> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  const events: AgentEvent[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const event = parseEventLine(line);
    if (typeof event === 'string') problems.push(`Line ${index + 1}: ${event}`);
    else if (!seen.has(event.id)) {
      seen.add(event.id);
      events.push(event);
    }
  }
  return { events, problems };
}
