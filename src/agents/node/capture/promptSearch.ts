import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import type { AgentEvent } from '../../common/events/events.ts';
import type { Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { backgroundTimers } from '../../../platform/node/systemClock.ts';
import { readFilePart } from './filePart.ts';
import { changedTranscripts, isAbout, type FilesPlace } from './findTranscript.ts';

/**
 * Delays between the searches after the agent began to work; it writes the prompt to its transcript
 * at once.
 */
const DELAYS_MS = [500, 1000, 2000, 4000];
/** The agent may begin to work up to this long before its title shows it. */
const AHEAD_NS = 2_000_000_000n;
/** A new prompt is near the end of its file. */
const END_BYTES = 256 * 1024;
const NS_PER_MS = 1_000_000n;

export interface PromptSearchOptions {
  readonly adapter: AgentAdapter;
  readonly place: AgentPlace;
  /** Schedules the searches. */
  readonly timers?: Timers | undefined;
  isFollowed(file: string): boolean;
  onFound(file: string): void;
  onError(error: unknown): void;
}

/**
 * Finds the transcript of a new conversation (`/new`, `/clear`) of an agent without hooks: the
 * agent works, but no followed transcript has the prompt. The new transcript is the one with a
 * prompt from that time. Being new is not enough, since other agents may work in the same folder.
 */
export class PromptSearch implements Disposable {
  readonly #options: PromptSearchOptions;
  #timer: Disposable | undefined;
  #lastPromptNs = 0n;

  constructor(options: PromptSearchOptions) {
    this.#options = options;
  }

  /** Notes when the followed transcripts last had a prompt. */
  observe(events: readonly AgentEvent[]): void {
    for (const { kind, timeNs } of events) {
      if (kind === 'user.prompt' && timeNs > this.#lastPromptNs) this.#lastPromptNs = timeNs;
    }
  }

  beganToWork(timeNs: bigint): void {
    const where = this.#options.adapter.transcripts(this.#options.place);
    this.dispose();
    if (where.kind === 'files') this.#searchLater(where, timeNs - AHEAD_NS, DELAYS_MS);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #searchLater(where: FilesPlace, sinceNs: bigint, [waitMs, ...later]: readonly number[]): void {
    if (waitMs === undefined) return;
    const { timers = backgroundTimers } = this.#options;
    const timer = timers.schedule(waitMs, () => {
      void this.#search(where, sinceNs)
        .catch((error: unknown) => this.#options.onError(error))
        .then(() => {
          // Another search may have begun meanwhile.
          const isCurrent = this.#timer === timer;
          if (isCurrent && this.#lastPromptNs < sinceNs) this.#searchLater(where, sinceNs, later);
        });
    });
    this.#timer = timer;
  }

  async #search(where: FilesPlace, sinceNs: bigint): Promise<void> {
    if (this.#lastPromptNs >= sinceNs) return;
    const options = this.#options;
    for (const { file } of await changedTranscripts(where, Number(sinceNs / NS_PER_MS))) {
      if (options.isFollowed(file)) continue;
      if (where.isShared && !(await isAbout(file, options.place.cwd))) continue;
      if (!(await this.#hasPrompt(file, sinceNs))) continue;
      if (this.#timer !== undefined && this.#lastPromptNs < sinceNs) options.onFound(file);
      return;
    }
  }

  async #hasPrompt(file: string, sinceNs: bigint): Promise<boolean> {
    const parser = this.#options.adapter.createParser();
    // Records without a time of their own get time 0, so they don't match.
    const events = (await lastLines(file)).flatMap((line) => parser.push(line, 0n));
    return events.some(({ kind, timeNs }) => kind === 'user.prompt' && timeNs >= sinceNs);
  }
}

async function lastLines(file: string): Promise<string[]> {
  const end = await readFilePart(file, 'end', END_BYTES);
  if (!end) return [];
  // Drops the first line, unless the file starts with it, and the last: both may be incomplete.
  return end.text.split('\n').slice(end.isCut ? 1 : 0, -1);
}
