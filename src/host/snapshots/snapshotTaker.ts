import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { preStartName, snapshotName } from '../../snapshots/common/snapshotName.ts';
import type { SnapshotLine, SnapshotTrigger } from '../../snapshots/common/snapshotLine.ts';
import {
  takeWorkspaceSnapshot,
  type KeptState,
  type StateKeeperParts,
} from './takeWorkspaceSnapshot.ts';

export interface SnapshotRequest {
  readonly label: string;
  readonly kind: 'auto' | 'manual';
  readonly trigger: SnapshotTrigger;
  /** Nothing is recorded where no file has changed since the snapshot before. */
  readonly isOnlyIfChanged?: boolean;
}

/** What the taker needs of the session it belongs to. */
export interface SnapshotTakerParts extends StateKeeperParts {
  /** The number of the next moment. */
  nextId(): bigint;
  /** Waits for output on its way; returns the present byte. */
  settle(): Promise<number>;
  /** Puts the moment into the recording; on disk when it returns. */
  record(id: bigint, label: string, anchorByte: number): Promise<{ tsNs: bigint }>;
  /**
   * Appends to `session.snapshots.jsonl`, all at once; on disk when it returns.
   * @param trustingSinceNs when it began, if it looked only where something was said to have changed
   */
  append(lines: readonly SnapshotLine[], trustingSinceNs?: bigint): Promise<void>;
  /** The files of a moment are kept, or cannot be. */
  onDidKeep?(): void;
  readonly budgetMs: number;
}

interface Waiting {
  readonly id: bigint;
  readonly request: SnapshotRequest;
  readonly settle: (line: SnapshotLine | undefined) => void;
  readonly fail: (error: unknown) => void;
  /** Until whoever asked has waited long enough. */
  budget?: Disposable;
  /** Where the output was when its turn came. */
  anchorByte?: number;
  /** How it went is known. */
  isOver?: boolean;
  /** Once it is in the recording, or on its way into it. */
  moment?: Promise<Omit<SnapshotLine, 'files'>>;
  /** It is said that its files are on their way. */
  isAnnounced?: boolean;
}

/**
 * Keeps the files at the moments that matter. One at a time: whoever asks while one is taken shares the next. The provider's
 * reference comes first, then the record, then the line, then the answer, so that a crash between any two can be mended:
 * a reference nobody names is garbage, a record without a line finds its reference by name. That is the name of the first who
 * share one: the others, if they lack their lines then, are said to have failed, for nobody can tell whether they did share it.
 */
export class SnapshotTaker {
  readonly #parts: SnapshotTakerParts;
  readonly #stop = new AbortController();
  /** Lines come in the order of their moments. */
  readonly #lines = new Sequencer();
  #waiting: Waiting[] = [];
  /** Whose files are being kept. */
  #underWay: readonly Waiting[] = [];
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
      const waiting: Waiting = { id, request, settle, fail };
      // From now on, though others may be before it: for whoever waits that is no difference.
      if (!isPatient(request)) {
        const { clock, budgetMs } = this.#parts;
        waiting.budget = clock.schedule(budgetMs, () => void this.#announceLate(waiting));
      }
      this.#waiting.push(waiting);
      this.#running ??= this.#run();
    });
  }

  /**
   * Keeps the files ahead of the first moment, which then has little left to do, and where nothing changes until then means the
   * same state. Nobody is told of it: a state that no moment means is garbage.
   */
  prepare(request: SnapshotRequest): void {
    this.#running = this.#keep([request], preStartName(this.#parts.sessionId)).then(() =>
      this.#run(),
    );
  }

  /** Nothing can be recorded soon: whoever still waits has a moment from now on, and its files when they are kept. */
  async recordWaiting(): Promise<void> {
    const anchorByte = await this.#parts.settle();
    const waiting = [...this.#underWay, ...this.#waiting];
    await this.#announce(
      waiting.filter(({ request }) => !request.isOnlyIfChanged),
      anchorByte,
    );
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
      await this.#takeOne(group).catch((error: unknown) => {
        for (const each of group) {
          endWait(each);
          each.fail(error);
        }
      });
    }
    this.#running = undefined;
  }

  async #takeOne(group: readonly Waiting[]): Promise<void> {
    this.#underWay = group;
    const anchorByte = await this.#parts.settle();
    for (const each of group) each.anchorByte = anchorByte;
    const name = snapshotName(this.#parts.sessionId, group[0]!.id);
    const requests = group.map(({ request }) => request);
    const kept = await this.#keep(requests, name);
    this.#parts.onDidKeep?.();
    this.#underWay = [];
    for (const each of group) endWait(each);
    const hurried = group.filter(({ request }) => !isPatient(request));
    const patient = group.filter(({ request }) => isPatient(request));
    await this.#complete([...hurried, ...patient], anchorByte, kept);
  }

  /** Whoever asked goes on, and the files are kept behind it. */
  async #announceLate(waiting: Waiting): Promise<void> {
    try {
      await this.#announce([waiting], waiting.anchorByte ?? (await this.#parts.settle()));
    } catch (error) {
      waiting.fail(error);
    }
  }

  /** Records moments whose files are on their way, and tells who does not wait for them. */
  async #announce(group: readonly Waiting[], anchorByte: number): Promise<void> {
    const announced = group.map(async (each) => {
      if (each.isAnnounced || each.isOver) return;
      each.isAnnounced = true;
      const moment = this.#record(each, anchorByte);
      const line = await this.#lines.queue(async () => {
        const pending: SnapshotLine = { ...(await moment), files: { state: 'pending' } };
        await this.#parts.append([pending]);
        return pending;
      });
      if (!isPatient(each.request)) each.settle(line);
    });
    const results = await Promise.allSettled(announced);
    for (const [number, result] of results.entries())
      if (result.status === 'rejected') group[number]!.fail(result.reason);
  }

  /**
   * Says how it went, and tells who asked. All are in the recording before the first line is on disk, for the session may end
   * meanwhile; and their lines are written in one.
   */
  async #complete(
    group: readonly Waiting[],
    anchorByte: number,
    { files, isUnchanged, trustingSinceNs }: KeptState,
  ): Promise<void> {
    const isNothing = ({ request }: Waiting) => isUnchanged && request.isOnlyIfChanged === true;
    for (const each of group.filter(isNothing)) each.settle(undefined);
    const told = group
      .filter((each) => !isNothing(each))
      .map((each) => ({ each, moment: this.#record(each, anchorByte) }));
    await this.#lines.queue(async () => {
      const written: { each: Waiting; line: SnapshotLine }[] = [];
      for (const { each, moment } of told) {
        const isLate = each.isAnnounced && files.state === 'kept';
        const said = isLate ? { ...files, isLate } : files;
        await moment.then(
          (recorded) => written.push({ each, line: { ...recorded, files: said } }),
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

  /** Records a moment, once. */
  #record(each: Waiting, anchorByte: number): NonNullable<Waiting['moment']> {
    const { id, request } = each;
    const { label, kind, trigger } = request;
    const moment = (each.moment ??= this.#parts
      .record(id, label, anchorByte)
      .then(({ tsNs }) => ({ id, tsNs, anchorByte, label, kind, trigger })));
    moment.catch(() => {}); // Whoever waits for the line is told.
    return moment;
  }

  #keep(requests: readonly SnapshotRequest[], name: string): Promise<KeptState> {
    const triggers = requests.map(({ trigger }) => trigger);
    const state = { name, label: requests[0]!.label, triggers };
    return takeWorkspaceSnapshot(this.#parts, state, this.#stop.signal);
  }
}

function endWait(waiting: Waiting): void {
  waiting.isOver = true;
  waiting.budget?.dispose();
}

/** A person wants to know how it went; an agent must not be kept from its work. */
function isPatient({ trigger, isOnlyIfChanged }: SnapshotRequest): boolean {
  return isOnlyIfChanged === true || trigger === 'manual' || trigger === 'restore';
}
