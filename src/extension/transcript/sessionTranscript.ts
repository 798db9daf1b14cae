import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { MomentPlace } from '../../branching/common/momentRef.ts';
import { nanosecondsAt } from '../../timeline/common/recordIndex.ts';
import type {
  TranscriptUpdate,
  TranscriptLine,
} from '../../timeline/common/transcript/transcript.ts';
import { TimelineDocument } from '../timeline/timelineDocument.ts';

/** A snapshot in a transcript. */
export interface TranscriptSnapshot extends MomentPlace {
  readonly snapshotId: string;
  readonly label: string;
}

/** The transcript of a session, updated while the session is recorded. */
export class SessionTranscript implements Disposable {
  readonly sessionId: string;
  readonly #resources = new DisposableStore();
  readonly #document: TimelineDocument;
  readonly #changes = this.#resources.add(new Emitter<void>());
  #lines: readonly TranscriptLine[] = [];
  #startNs = 0n;
  #isCurrent = false;
  #isAsked = false;
  #trouble: string | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(workerFile: string, sessionId: string, recording: string) {
    this.sessionId = sessionId;
    this.#document = this.#resources.add(new TimelineDocument(workerFile, recording));
    this.#resources.add(
      this.#document.onEvent((event) => {
        if (event.name === 'extent') this.#ask(event.body.startNs);
        else if (event.name === 'transcript') this.#take(event.body);
        else if (event.name === 'trouble') this.#setTrouble(event.body.message ?? undefined);
      }),
    );
  }

  /** One entry per line of the document. */
  get lines(): readonly TranscriptLine[] {
    return this.#lines;
  }

  /** Start of the recording, in nanoseconds since the epoch. */
  get startNs(): bigint {
    return this.#startNs;
  }

  /** Whether all recorded output has been read. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Why the recording can't be read, as a sentence. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  get snapshots(): TranscriptSnapshot[] {
    return this.#lines.flatMap(({ snapshotId, text, byteOffset, timeMs }) => {
      if (snapshotId === undefined) return [];
      const timeNs = nanosecondsAt(this.#startNs, timeMs);
      return [{ snapshotId, label: text, byte: byteOffset, timeNs }];
    });
  }

  /** The position from which a branch after a line starts, without regard to snapshots. */
  placeOf(index: number): MomentPlace {
    const { byteOffset = 0, timeMs = 0, lastMs = timeMs } = this.#lines[index] ?? {};
    return { byte: byteOffset, timeNs: nanosecondsAt(this.#startNs, lastMs) };
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #ask(startNs: string): void {
    this.#startNs = BigInt(startNs);
    if (this.#isAsked) return;
    this.#isAsked = true;
    // Ignore the error: a thread that fails sends a `trouble` event.
    this.#document.request('transcribe', {}).catch(() => undefined);
  }

  #take({ from, lines, isCurrent }: TranscriptUpdate): void {
    this.#lines = [...this.#lines.slice(0, from), ...lines];
    this.#isCurrent = isCurrent;
    this.#changes.fire();
  }

  #setTrouble(trouble: string | undefined): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#changes.fire();
  }
}
