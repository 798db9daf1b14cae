import { open } from 'node:fs/promises';
import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import type { AgentEvent } from '../../common/events.ts';
import type { Timers } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { backgroundTimers } from '../../../platform/node/systemClock.ts';
import { changedTranscripts, isAbout, type FilesPlace } from './findTranscript.ts';

/** Waits before each look, from when the agent begins to work: it writes down on what at once. */
const LOOKS_MS = [500, 1000, 2000, 4000];
/** How long before it says that it works it may have done so. */
const AHEAD_NS = 2_000_000_000n;
/** A prompt that has just been written is near the end of its file. */
const END_BYTES = 256 * 1024;
const NS_PER_MS = 1_000_000n;

export interface PromptSearchOptions {
  readonly adapter: AgentAdapter;
  readonly place: AgentPlace;
  /** Wake the search for each look. */
  readonly timers?: Timers | undefined;
  isFollowed(file: string): boolean;
  onFound(file: string): void;
  onTrouble(error: unknown): void;
}

/**
 * Notices that an agent has begun another conversation (`/new`, `/clear`) when no hook says so: it works, and no transcript
 * that is followed says on what. That the other one has a prompt of this moment tells it from that of the agent next door.
 */
export class PromptSearch implements Disposable {
  readonly #options: PromptSearchOptions;
  #timer: Disposable | undefined;
  #lastPromptNs = 0n;

  constructor(options: PromptSearchOptions) {
    this.#options = options;
  }

  /** What the followed transcripts tell. */
  told(events: readonly AgentEvent[]): void {
    for (const { kind, timeNs } of events) {
      if (kind === 'user.prompt' && timeNs > this.#lastPromptNs) this.#lastPromptNs = timeNs;
    }
  }

  beganToWork(timeNs: bigint): void {
    const where = this.#options.adapter.transcripts(this.#options.place);
    this.dispose();
    if (where.kind === 'files') this.#lookSoon(where, timeNs - AHEAD_NS, LOOKS_MS);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #lookSoon(where: FilesPlace, sinceNs: bigint, [waitMs, ...later]: readonly number[]): void {
    if (waitMs === undefined) return;
    const { timers = backgroundTimers } = this.#options;
    const timer = timers.schedule(waitMs, () => {
      void this.#look(where, sinceNs)
        .catch((error: unknown) => this.#options.onTrouble(error))
        .then(() => {
          // It may have begun anew meanwhile.
          const isCurrent = this.#timer === timer;
          if (isCurrent && this.#lastPromptNs < sinceNs) this.#lookSoon(where, sinceNs, later);
        });
    });
    this.#timer = timer;
  }

  async #look(where: FilesPlace, sinceNs: bigint): Promise<void> {
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
    // What has no time of its own proves nothing.
    const events = (await lastLines(file)).flatMap((line) => parser.push(line, 0n));
    return events.some(({ kind, timeNs }) => kind === 'user.prompt' && timeNs >= sinceNs);
  }
}

async function lastLines(file: string): Promise<string[]> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return [];
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - END_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(END_BYTES), 0, END_BYTES, start);
    const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n');
    // The first one is cut, unless it is that of the file; the last one may be under way.
    return lines.slice(start > 0 ? 1 : 0, -1);
  } finally {
    await handle.close();
  }
}
