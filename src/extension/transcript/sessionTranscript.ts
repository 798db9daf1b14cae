import { Emitter } from '../../base/emitter.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { SessionPlace } from '../../timeline/common/nearestSnapshot.ts';
import { nanosecondsAt } from '../../timeline/common/recordIndex.ts';
import type { TranscriptBody, TranscriptLineBody } from '../../timeline/common/webviewProtocol.ts';
import { TimelineDocument } from '../timeline/timelineDocument.ts';

/** A snapshot that one may branch from. */
export interface TranscriptSnapshot extends SessionPlace {
  readonly snapshotId: string;
  readonly label: string;
}

/** One session as text, line by line, for as long as somebody has it open. */
export class SessionTranscript implements Disposable {
  readonly sessionId: string;
  readonly #resources = new DisposableStore();
  readonly #document: TimelineDocument;
  readonly #changes = this.#resources.add(new Emitter<void>());
  #lines: readonly TranscriptLineBody[] = [];
  #startNs = 0n;
  #isCurrent = false;
  #isAsked = false;
  #trouble: string | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(workerFile: string, sessionId: string, recording: string) {
    this.sessionId = sessionId;
    this.#document = this.#resources.add(new TimelineDocument(workerFile, recording));
    this.#resources.add(
      this.#document.onDidTell((event) => {
        if (event.name === 'extent') this.#ask(event.body.startNs);
        else if (event.name === 'transcript') this.#take(event.body);
        else if (event.name === 'trouble') this.#setTrouble(event.body.message ?? undefined);
      }),
    );
  }

  /** Each is one line of the document. */
  get lines(): readonly TranscriptLineBody[] {
    return this.#lines;
  }

  /** Nanoseconds since the epoch. */
  get startNs(): bigint {
    return this.#startNs;
  }

  /** All that was recorded is in it; else it is being read. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Why it cannot be read any more, in a sentence. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  get snapshots(): TranscriptSnapshot[] {
    return this.#lines.flatMap(({ snapshotId, text, byteOffset, timeMs }) => {
      if (snapshotId === undefined) return [];
      return [{ snapshotId, label: text, byteOffset, tsNs: nanosecondsAt(this.#startNs, timeMs) }];
    });
  }

  /** Where one is that branches after a line. */
  placeOf(index: number): SessionPlace {
    const { byteOffset = 0, timeMs = 0, lastMs = timeMs } = this.#lines[index] ?? {};
    return { byteOffset, tsNs: nanosecondsAt(this.#startNs, lastMs) };
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #ask(startNs: string): void {
    this.#startNs = BigInt(startNs);
    if (this.#isAsked) return;
    this.#isAsked = true;
    // A thread that has ended says so as trouble.
    this.#document.request('transcribe', {}).catch(() => undefined);
  }

  #take({ from, lines, isCurrent }: TranscriptBody): void {
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
