import type { Disposable } from '../../../base/lifecycle.ts';
import { Sequencer } from '../../../base/sequencer.ts';
import { preStartName, snapshotName } from '../../common/snapshotName.ts';
import type { SnapshotLine, SnapshotTrigger } from '../../common/snapshotLine.ts';
import { LabelComparison } from './labelComparison.ts';
import {
  takeWorkspaceSnapshot,
  type SnapshotOutcome,
  type TakeParts,
} from './takeWorkspaceSnapshot.ts';

export interface SnapshotRequest {
  readonly label: string;
  readonly kind: 'auto' | 'manual';
  readonly trigger: SnapshotTrigger;
  /** Makes the label from the changed files; `label` is used if they are unknown. */
  readonly labelOfChanges?: (paths: readonly string[]) => string;
  /** Records nothing if no file has changed since the snapshot before. */
  readonly isOnlyIfChanged?: boolean;
}

/** The parts of the session that the taker uses. */
export interface SnapshotTakerParts extends TakeParts {
  /** The number of the next snapshot. */
  nextId(): bigint;
  /** Call with a number that was written nowhere: the next snapshot can have it. */
  releaseId(id: bigint): void;
  /** Waits for output that is on its way; returns the byte offset after it. */
  settle(): Promise<number>;
  /** Writes the moment into the recording. */
  record(id: bigint, label: string, anchorByte: number): Promise<RecordedMoment>;
  /**
   * Appends to `session.snapshots.jsonl` in one write. The lines are on disk when this returns,
   * except pending ones, which promise nothing and for which an agent waits.
   * @param trustingSinceNs time of the snapshot's start, if it was incremental
   */
  append(lines: readonly SnapshotLine[], trustingSinceNs?: bigint): Promise<void>;
  /** Called when a snapshot was taken or has failed. */
  onDidKeep?(): void;
  readonly budgetMs: number;
}

/** A moment in the recording, which the end of this process does not lose. */
export interface RecordedMoment {
  readonly tsNs: bigint;
  /** Resolves when a power cut does not lose it either. */
  readonly onDisk: Promise<void>;
}

interface Waiting {
  /** Assigned when the moment is announced or its files are taken, whichever comes first. */
  id?: bigint;
  readonly request: SnapshotRequest;
  readonly settle: (line: SnapshotLine | undefined) => void;
  readonly fail: (error: unknown) => void;
  /** Timer that ends the caller's wait. */
  budget?: Disposable;
  /** Byte offset of the output when the snapshot began. */
  anchorByte?: number;
  /** The snapshot was taken or has failed. */
  isOver?: boolean;
  /** Set when the moment is written to the recording. */
  moment?: Promise<Omit<SnapshotLine, 'files'>>;
  /** Settles when the moment is on disk. */
  onDisk?: Promise<void>;
  /** The line with the state `pending` was written. */
  isAnnounced?: boolean;
}

interface Circumstances {
  /** Whether the program ran before the files were stored. */
  readonly isAfterStart: boolean;
  /** The paths that differ from the snapshot before, if they were asked for. */
  readonly changedPaths: readonly string[];
}

/**
 * Takes snapshots one at a time: requests that arrive meanwhile share the next snapshot, as a
 * group. The provider's reference is created first, then the record, then the line, then the
 * answer, so that a crash between two of them can be repaired: a reference without a record is
 * garbage, and a record without a line finds its reference by name. The reference is named after
 * the first number of its group. After a crash, other moments of the group without a line count as
 * failed, because it is unknown whether they share the reference.
 *
 * Users read the numbers. So a request that may record nothing gets its number last, and gives it
 * back if it records nothing.
 */
export class SnapshotTaker {
  readonly #parts: SnapshotTakerParts;
  readonly #stop = new AbortController();
  /** Writes lines in the order of their moments. */
  readonly #lines = new Sequencer();
  #waiting: Waiting[] = [];
  /** The requests whose snapshot is being taken. */
  #underWay: readonly Waiting[] = [];
  /** The requests whose snapshot is taken, until their lines are written. */
  #taken: readonly Waiting[] = [];
  #running: Promise<void> | undefined;
  /** The last snapshot of which this session has a moment. */
  #lastRef: string | undefined;
  readonly #comparison: LabelComparison;

  constructor(parts: SnapshotTakerParts) {
    this.#parts = parts;
    this.#comparison = new LabelComparison(parts);
    parts.provider.catch(() => {}); // Each snapshot reports the error.
  }

  /**
   * Resolves when the snapshot is taken or has failed. If this takes longer than the budget,
   * resolves with a pending line, and the snapshot continues in the background. Resolves with
   * undefined if the request is only for changes and there are none. Rejects only if the moment
   * can't be recorded.
   */
  take(request: SnapshotRequest): Promise<SnapshotLine | undefined> {
    return new Promise((settle, fail) => {
      const waiting: Waiting = { request, settle, fail };
      // The budget includes the time that the request waits for its turn.
      if (!isPatient(request)) {
        const { clock, budgetMs } = this.#parts;
        waiting.budget = clock.schedule(budgetMs, () => void this.#announceLate(waiting));
      }
      this.#waiting.push(waiting);
      // An agent's wait matters more than a label that names files; a timer can wait.
      if (!request.isOnlyIfChanged) this.#comparison.giveUp();
      this.#running ??= this.#run();
    });
  }

  /**
   * Takes a snapshot before the session's first moment. The snapshot of that moment is then fast,
   * or reuses this one. This one has no moment: if it is not reused, pruning removes it.
   */
  prepare(request: SnapshotRequest): void {
    this.#running = this.#keep([request], preStartName(this.#parts.sessionId)).then(() =>
      this.#run(),
    );
  }

  /**
   * Records the moments of all waiting requests before the recording is closed; their files follow
   * later.
   */
  async recordWaiting(): Promise<void> {
    this.#comparison.giveUp();
    const anchorByte = await this.#parts.settle();
    const waiting = [...this.#underWay, ...this.#waiting];
    await Promise.allSettled([
      ...this.#taken.map((each) => this.#record(each, each.anchorByte ?? anchorByte)),
      this.#announce(
        waiting.filter(({ request }) => !request.isOnlyIfChanged),
        anchorByte,
      ),
    ]);
  }

  /** Settles when no snapshot is being taken. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Cancels the snapshot that is being taken. */
  dispose(): void {
    this.#stop.abort();
    this.#comparison.giveUp();
  }

  async #run(): Promise<void> {
    // Let requests that arrive at once, such as from hooks of parallel tool calls, share a
    // snapshot.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#takeOne(group).catch((error: unknown) => {
        for (const each of group) {
          endWait(each);
          each.fail(error);
        }
      });
    }
    this.#running = undefined;
  }

  async #takeOne(together: readonly Waiting[]): Promise<void> {
    const group = together.toSorted((a, b) => numberingRank(a) - numberingRank(b));
    const [first] = group;
    if (!first) return;
    this.#underWay = group;
    const firstId = this.#number(first);
    for (const each of group) if (!each.request.isOnlyIfChanged) this.#number(each);
    const anchorByte = await this.#parts.settle();
    for (const each of group) each.anchorByte = anchorByte;
    const name = snapshotName(this.#parts.sessionId, firstId);
    const requests = group.map(({ request }) => request);
    const kept = this.#comparedWithOwn(await this.#keep(requests, name));
    // An unchanged snapshot has the reference of an earlier one, so this number was written
    // nowhere.
    if (kept.isUnchanged && first.request.isOnlyIfChanged) this.#parts.releaseId(firstId);
    const isAfterStart = this.#parts.hasStarted();
    this.#parts.onDidKeep?.();
    this.#underWay = [];
    for (const each of group) endWait(each);
    const isNothing = ({ request }: Waiting) => kept.isUnchanged && request.isOnlyIfChanged;
    for (const each of group.filter(isNothing)) each.settle(undefined);
    this.#taken = group
      .filter((each) => !isNothing(each))
      .toSorted((a, b) => Number(isPatient(a.request)) - Number(isPatient(b.request)));
    const changedPaths = await this.#changedPaths(group, kept);
    if (kept.files.state === 'kept') this.#comparison.onDidTake(kept.files.ref);
    const circumstances = { isAfterStart, changedPaths };
    await this.#complete(this.#taken, anchorByte, { ...kept, ...circumstances });
    this.#taken = [];
  }

  /** Ends the wait of a request whose budget is used up. */
  async #announceLate(waiting: Waiting): Promise<void> {
    try {
      await this.#announce([waiting], waiting.anchorByte ?? (await this.#parts.settle()));
    } catch (error) {
      waiting.fail(error);
    }
  }

  /**
   * Records moments whose files follow later, and answers the requests that don't wait for the
   * files.
   */
  async #announce(group: readonly Waiting[], anchorByte: number): Promise<void> {
    const announce = async (each: Waiting) => {
      if (each.isAnnounced || each.isOver) return;
      each.isAnnounced = true;
      const moment = this.#record(each, anchorByte);
      const line = await this.#lines.queue(async () => {
        const pending: SnapshotLine = { ...(await moment), files: { state: 'pending' } };
        await this.#parts.append([pending]);
        return pending;
      });
      if (!isPatient(each.request)) each.settle(line);
    };
    await Promise.all(group.map((each) => announce(each).catch(each.fail)));
  }

  /**
   * Writes the results and answers the requests. All moments are recorded before the first line is
   * written, because the session may end meanwhile; all lines are written at once.
   */
  async #complete(
    group: readonly Waiting[],
    anchorByte: number,
    { files, trustingSinceNs, isAfterStart, changedPaths }: SnapshotOutcome & Circumstances,
  ): Promise<void> {
    // The program waits for the first snapshot, which is exact unless the program already runs.
    const mayBeInexact = ({ request, isAnnounced }: Waiting) =>
      request.trigger === 'start' ? isAfterStart : isAnnounced === true;
    const moments = group.map((each) => ({
      each,
      moment: this.#record(each, anchorByte, changedPaths),
    }));
    await this.#lines.queue(async () => {
      const written: { each: Waiting; line: SnapshotLine }[] = [];
      for (const { each, moment } of moments) {
        const isLate = mayBeInexact(each) && files.state === 'kept';
        const result = isLate ? { ...files, isLate } : files;
        await Promise.all([moment, each.onDisk]).then(
          ([recorded]) => written.push({ each, line: { ...recorded, files: result } }),
          each.fail,
        );
      }
      if (written.length === 0) return;
      try {
        const lines = written.map(({ line }) => line);
        await this.#parts.append(lines, trustingSinceNs);
        for (const { each, line } of written) each.settle(line);
      } catch (error) {
        for (const { each } of written) each.fail(error);
      }
    });
  }

  #number(each: Waiting): bigint {
    return (each.id ??= this.#parts.nextId());
  }

  /** Records a moment, once. */
  #record(
    each: Waiting,
    anchorByte: number,
    changedPaths: readonly string[] = [],
  ): NonNullable<Waiting['moment']> {
    const id = this.#number(each);
    const { kind, trigger, labelOfChanges } = each.request;
    const label = (changedPaths.length > 0 && labelOfChanges?.(changedPaths)) || each.request.label;
    if (each.moment) return each.moment;
    const recorded = this.#parts.record(id, label, anchorByte);
    each.moment = recorded.then(({ tsNs }) => ({ id, tsNs, anchorByte, label, kind, trigger }));
    each.onDisk = recorded.then(({ onDisk }) => onDisk);
    each.moment.catch(() => {}); // #complete and #announce await it.
    each.onDisk.catch(() => {}); // #complete awaits it.
    return each.moment;
  }

  /**
   * Returns the paths that differ from the snapshot before, for the labels. Empty if they are
   * unknown, or if another request would have to wait for the comparison.
   */
  async #changedPaths(
    group: readonly Waiting[],
    { files, isUnchanged }: SnapshotOutcome,
  ): Promise<readonly string[]> {
    const isAsked = group.every(({ request }) => request.labelOfChanges);
    const isHurried = this.#waiting.length > 0;
    if (!isAsked || isHurried || isUnchanged || files.state !== 'kept') return [];
    return this.#comparison.changedPaths(files.ref);
  }

  #keep(requests: readonly SnapshotRequest[], name: string): Promise<SnapshotOutcome> {
    const triggers = requests.map(({ trigger }) => trigger);
    const state = { name, label: requests[0]?.label ?? '', triggers };
    return takeWorkspaceSnapshot(this.#parts, state, this.#stop.signal);
  }

  /**
   * Corrects whether the files are unchanged: sessions in one folder share equal snapshots, so the
   * provider may have found one that another session took since this session's last.
   */
  #comparedWithOwn(outcome: SnapshotOutcome): SnapshotOutcome {
    if (outcome.files.state !== 'kept') return outcome;
    const isUnchanged = outcome.isUnchanged && outcome.files.ref === this.#lastRef;
    this.#lastRef = outcome.files.ref;
    return { ...outcome, isUnchanged };
  }
}

/**
 * The order in which requests get numbers: announced ones, which already have theirs, come first,
 * and those that may record nothing come last.
 */
function numberingRank({ id, request }: Waiting): number {
  if (id !== undefined) return 0;
  return request.isOnlyIfChanged ? 2 : 1;
}

function endWait(waiting: Waiting): void {
  waiting.isOver = true;
  waiting.budget?.dispose();
}

/**
 * Whether the request waits without a budget: a user wants to know the result, but an agent must
 * not be held up.
 */
function isPatient({ trigger, isOnlyIfChanged }: SnapshotRequest): boolean {
  return isOnlyIfChanged === true || trigger === 'manual' || trigger === 'restore';
}
