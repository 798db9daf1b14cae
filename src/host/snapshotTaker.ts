import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { SnapshotProvider, TakenSnapshot } from '../snapshots/provider.ts';
import { nameAhead, snapshotName } from '../snapshots/snapshotName.ts';
import type { SnapshotFiles, SnapshotLine, SnapshotTrigger } from '../snapshots/snapshotLine.ts';

export interface SnapshotRequest {
  readonly label: string;
  readonly kind: 'auto' | 'manual';
  readonly trigger: SnapshotTrigger;
  /** Nothing is recorded where no file has changed since the snapshot before. */
  readonly isOnlyIfChanged?: boolean;
}

/** Says where to look for what has changed. */
export interface ChangeSource {
  /** What may have changed since it was asked last; unknown when nothing is returned. */
  take(): Promise<readonly string[] | undefined>;
  /** What it said last was not used. */
  forget(): void;
}

/** What the taker needs of the session it belongs to. */
export interface SnapshotTakerParts {
  readonly sessionId: string;
  /** The number of the next moment. */
  nextId(): bigint;
  /** Settles when it is known which one works here; rejects with the reason why none does. */
  readonly provider: Promise<SnapshotProvider>;
  readonly clock: Clock;
  /** Waits for output on its way; returns the present byte. */
  settle(): Promise<number>;
  /** Puts the moment into the recording; on disk when it returns. */
  record(id: bigint, label: string, anchorByte: number): Promise<{ tsNs: bigint }>;
  /**
   * Appends to `session.snapshots.jsonl`; on disk when it returns.
   * @param trustingSinceNs when it began, if it looked only where something was said to have changed
   */
  append(line: SnapshotLine, trustingSinceNs?: bigint): Promise<void>;
  readonly changes: ChangeSource;
  /** A snapshot that began at that time looked only where something was said to have changed. */
  onDidTrust?(taken: TakenSnapshot, startedNs: bigint): void;
  /** The files of a moment are kept, or cannot be. */
  onDidKeep?(): void;
  /** Whether the program runs. */
  hasStarted(): boolean;
  readonly budgetMs: number;
  /** A snapshot that takes longer is given up. */
  readonly giveUpMs: number;
}

interface Asked {
  readonly request: SnapshotRequest;
}

interface Waiting extends Asked {
  readonly id: bigint;
  readonly settle: (line: SnapshotLine | undefined) => void;
  readonly fail: (error: unknown) => void;
}

interface Kept {
  readonly files: SnapshotFiles;
  readonly isUnchanged: boolean;
  readonly trustingSinceNs?: bigint;
}

const PENDING = { files: { state: 'pending' } } as const;

/**
 * Keeps the files at the moments that matter. One at a time: whoever asks while one is taken shares the next. The provider's
 * reference comes first, then the record, then the line, then the answer, so that a crash between any two can be mended:
 * a reference nobody names is garbage, a record without a line finds its reference by name.
 */
export class SnapshotTaker {
  readonly #parts: SnapshotTakerParts;
  readonly #stop = new AbortController();
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(parts: SnapshotTakerParts) {
    this.#parts = parts;
    parts.provider.catch(() => {}); // Each snapshot tells why.
  }

  /**
   * Answers when the files are kept, or when the budget is used up: then it goes on behind whoever asked, and says so. A
   * failure is an answer too. Nothing, where there was nothing to keep. Rejects only when the moment itself cannot be recorded.
   */
  take(request: SnapshotRequest): Promise<SnapshotLine | undefined> {
    const id = this.#parts.nextId();
    return new Promise((settle, fail) => {
      this.#waiting.push({ id, request, settle, fail });
      this.#running ??= this.#run();
    });
  }

  /**
   * Keeps the files ahead of the first moment, which then has little left to do, and where nothing changes until then means the
   * same state. Nobody is told of it: a state that no moment means is garbage.
   */
  prepare(request: SnapshotRequest): void {
    const name = nameAhead(this.#parts.sessionId);
    this.#running = this.#keep([{ request }], name).then(() => this.#run());
  }

  /** Settles when nothing is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Gives up what is under way. */
  dispose(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    // Everybody who asks in the same turn, such as the hooks of tools that ran side by side, shares one.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#takeOne(group).catch((error: unknown) =>
        group.forEach(({ fail }) => fail(error)),
      );
    }
    this.#running = undefined;
  }

  async #takeOne(group: readonly Waiting[]): Promise<void> {
    const anchorByte = await this.#parts.settle();
    const name = snapshotName(this.#parts.sessionId, group[0]!.id);
    const keeping = this.#keep(group, name).finally(() => this.#parts.onDidKeep?.());
    const hurried = group.filter(({ request }) => !isPatient(request));
    const inTime = hurried.length > 0 ? await this.#withinBudget(keeping) : await keeping;
    const lines = await this.#writeDown(hurried, anchorByte, inTime ?? PENDING);
    const kept = await keeping;
    const { files, isUnchanged, trustingSinceNs } = kept;
    if (!inTime) {
      const late = files.state === 'kept' ? { ...files, isLate: true } : files;
      for (const line of lines) await this.#parts.append({ ...line, files: late }, trustingSinceNs);
    }
    const patient = group.filter(({ request }) => isPatient(request));
    const isNeeded = ({ request }: Waiting) => !(isUnchanged && request.isOnlyIfChanged);
    await this.#writeDown(patient.filter(isNeeded), anchorByte, kept);
    for (const { settle } of patient.filter((each) => !isNeeded(each))) settle(undefined);
  }

  #withinBudget(keeping: Promise<Kept>): Promise<Kept | undefined> {
    return new Promise((resolve) => {
      const timer = this.#parts.clock.schedule(this.#parts.budgetMs, () => resolve(undefined));
      void keeping.then((kept) => {
        timer.dispose();
        resolve(kept);
      });
    });
  }

  /** Records each moment and tells who asked for it. */
  async #writeDown(
    group: readonly Waiting[],
    anchorByte: number,
    { files, trustingSinceNs }: Omit<Kept, 'isUnchanged'>,
  ): Promise<SnapshotLine[]> {
    const lines: SnapshotLine[] = [];
    for (const { id, request, settle } of group) {
      const { label, kind, trigger } = request;
      const { tsNs } = await this.#parts.record(id, label, anchorByte);
      const line: SnapshotLine = { id, tsNs, anchorByte, label, kind, trigger, files };
      await this.#parts.append(line, trustingSinceNs);
      lines.push(line);
      settle(line);
    }
    return lines;
  }

  /** Never rejects. */
  async #keep(group: readonly Asked[], name: string): Promise<Kept> {
    const { request } = group[0]!;
    const { clock, sessionId, giveUpMs } = this.#parts;
    const giveUp = new AbortController();
    const timer = clock.schedule(giveUpMs, () => giveUp.abort());
    const signal = AbortSignal.any([giveUp.signal, this.#stop.signal]);
    try {
      const provider = await this.#parts.provider;
      // Nothing comes after the end that would prove what a watcher said, and nobody waits.
      const isLast = group.some(({ request: { trigger } }) => trigger === 'end');
      const changedPaths = isLast ? undefined : await this.#parts.changes.take();
      const startedNs = clock.nowNs();
      // Once the program runs, it is too late to find the files as they were before.
      const fineAsKept = () => (this.#parts.hasStarted() ? [nameAhead(sessionId)] : []);
      const taken = await provider.take({
        ...{ name, label: request.label, signal },
        ...(changedPaths && { changedPaths }),
        ...(request.trigger === 'start' && { fineAsKept }),
      });
      if (taken.isPartial) this.#parts.onDidTrust?.(taken, startedNs);
      return {
        files: keptFiles(provider, taken),
        isUnchanged: taken.isUnchanged,
        ...(taken.isPartial && { trustingSinceNs: startedNs }),
      };
    } catch (error) {
      this.#parts.changes.forget();
      const reason = giveUp.signal.aborted
        ? `It took longer than ${giveUpMs / 1000} seconds.`
        : messageOf(error);
      return { files: { state: 'failed', reason }, isUnchanged: false };
    } finally {
      timer.dispose();
    }
  }
}

/** A person wants to know how it went; an agent must not be kept from its work. */
function isPatient({ trigger, isOnlyIfChanged }: SnapshotRequest): boolean {
  return isOnlyIfChanged === true || trigger === 'manual' || trigger === 'restore';
}

function keptFiles(provider: SnapshotProvider, taken: TakenSnapshot): SnapshotFiles {
  const { ref, stats, omissions } = taken;
  return { state: 'kept', provider: provider.name, ref, stats, omissions };
}
