import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { UserError } from '../../base/errors.ts';
import type { SnapshotsFile } from '../../snapshots/node/snapshotsFile.ts';
import type { SnapshotProvider } from '../../snapshots/common/provider.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { FIRST_LABEL } from '../../snapshots/common/snapshotName.ts';
import type { Recorder } from '../recorder.ts';
import { SnapshotNumbers } from './snapshotNumbers.ts';
import { SnapshotProof } from './snapshotProof.ts';
import { SnapshotTaker, type SnapshotRequest } from './snapshotTaker.ts';
import { SnapshotTriggers } from './snapshotTriggers.ts';
import type { WorkspaceWatcher } from './workspaceWatcher.ts';

/** How long an agent waits for a snapshot. */
const BUDGET_MS = 150;
/** What a program finds at its start is what one goes back to most: it waits longer. */
const START_BUDGET_MS = 2000;
const GIVE_UP_MS = 60_000;
const END_MS = 2000;
const DEFAULT_MINUTES = 5;
const START = { label: FIRST_LABEL, trigger: 'start' } as const;

export interface SessionSnapshotsParts {
  readonly sessionId: string;
  readonly file: SnapshotsFile;
  readonly clock: Clock;
  /** None: the files are not kept, only moments that others name. */
  readonly kept: KeptWorkspace | undefined;
  /** A label as it may be written down. */
  safeLabel(label: string): string;
  /** A moment has been recorded. */
  onDidRecord?(line: SnapshotLine): void;
}

export interface KeptWorkspace {
  readonly provider: Promise<SnapshotProvider>;
  /** A session that goes on gets a snapshot now and then, if files have changed; never with 0. */
  readonly everyMinutes?: number | undefined;
  /** None where watching does not work; then every snapshot looks everywhere. */
  readonly watcher: Promise<WorkspaceWatcher | undefined>;
}

/** The moments of a session at which its files are kept, by us or by somebody who tells us. */
export class SessionSnapshots implements Disposable {
  readonly #parts: SessionSnapshotsParts;
  readonly #taker: SnapshotTaker | undefined;
  readonly #triggers: SnapshotTriggers;
  readonly #numbers = new SnapshotNumbers();
  readonly #proof: SnapshotProof | undefined;
  readonly #started: Promise<Recorder>;
  #start: (recorder: Recorder) => void = () => {};
  #recorder: Recorder | undefined;
  #onDidKeep: () => void = () => {};

  constructor(parts: SessionSnapshotsParts) {
    this.#parts = parts;
    this.#started = new Promise((resolve) => (this.#start = resolve));
    const { sessionId, file, clock, kept } = parts;
    this.#triggers = new SnapshotTriggers(clock, (request) => this.#inPassing(request));
    if (!kept) return;
    const { provider, watcher } = kept;
    const proof = new SnapshotProof({
      ...{ provider, watcher, clock },
      append: (lines) => file.append(...lines),
      onDidMiss: () => {
        // The last one has it anyway.
        if (!this.#triggers.isDisposed)
          this.#inPassing({ label: 'Changes noticed late', trigger: 'timer' });
      },
    });
    this.#proof = proof;
    this.#taker = new SnapshotTaker({
      ...{ sessionId, provider, clock, budgetMs: BUDGET_MS, giveUpMs: GIVE_UP_MS },
      nextId: () => this.#numbers.next(),
      // Before the program runs, nothing has been printed.
      settle: () => this.#recorder?.settle() ?? Promise.resolve(0),
      record: async (...moment) => (await this.#started).recordSnapshot(...moment),
      append: (lines, trustingSinceNs) => {
        for (const line of lines) {
          proof.onDidTake(line, trustingSinceNs);
          parts.onDidRecord?.(line);
        }
        return file.append(...lines);
      },
      onDidKeep: () => this.#onDidKeep(),
      hasStarted: () => this.#recorder !== undefined,
      onDidTrust: (...taken) => proof.onDidTrust(...taken),
      changes: proof.changes,
    });
    void watcher.then((each) => {
      if (each) this.#triggers.followGit(each, () => this.#recorder !== undefined);
    });
  }

  /** Looks at all files while it is not known yet when the program will run. */
  prepare(): void {
    this.#taker?.prepare({ ...START, kind: 'auto' });
  }

  /** Keeps the files as they are before the program runs. Returns when they are kept, or when that takes too long. */
  async beforeStart(): Promise<void> {
    if (!this.#taker) return;
    const kept = new Promise<void>((resolve) => (this.#onDidKeep = resolve));
    this.#inPassing(START);
    await Promise.race([kept, this.#later(START_BUDGET_MS)]);
    this.#onDidKeep = () => {};
  }

  /** The program runs, and `recorder` takes its moments. */
  started(recorder: Recorder): void {
    this.#recorder = recorder;
    this.#start(recorder);
    const { everyMinutes = DEFAULT_MINUTES } = this.#parts.kept ?? {};
    if (this.#taker && everyMinutes > 0) this.#triggers.every(everyMinutes);
  }

  /** @throws UserError `snapshots-off` */
  async take(request: SnapshotRequest): Promise<SnapshotLine | undefined> {
    if (!this.#taker) {
      throw new UserError('snapshots-off', 'The files of this session are not kept.');
    }
    return this.#taker.take({ ...request, label: this.#parts.safeLabel(request.label) });
  }

  /** A command of the recorded shell has ended. */
  afterCommand(command: string | undefined): void {
    const label = command === undefined ? 'Command' : `$ ${this.#parts.safeLabel(command)}`;
    this.#triggers.afterCommand(label);
  }

  /** Somebody else has kept the files of this moment. On disk when it returns. @throws UserError when its number means another */
  async notified(id: bigint, told: string): Promise<{ anchorByte: number; tsNs: bigint }> {
    const label = this.#parts.safeLabel(told);
    const recorder = await this.#started;
    this.#numbers.claim(id);
    const anchorByte = await recorder.settle();
    const { tsNs } = await recorder.recordSnapshot(id, label, anchorByte);
    const moment = { id, tsNs, label, anchorByte, kind: 'auto', trigger: 'notified' } as const;
    const line: SnapshotLine = { ...moment, files: { state: 'elsewhere' } };
    this.#parts.onDidRecord?.(line);
    await this.#parts.file.append(line);
    return { anchorByte, tsNs };
  }

  /** Keeps the files as the program left them. Whatever goes wrong is told by the moment itself. */
  async afterExit(): Promise<void> {
    if (!this.#taker) return;
    this.#triggers.flush();
    this.#triggers.dispose();
    this.#proof?.stop();
    const request = { label: 'Session end', kind: 'auto', trigger: 'end' } as const;
    // A disk that takes nothing more must not keep the session from being ended as well as it can be.
    await Promise.race([this.#taker.take(request).catch(() => {}), this.#later(END_MS)]);
    // What waits for others, the end itself perhaps, is completed behind the recording.
    await Promise.race([this.#taker.recordWaiting(), this.#later(END_MS)]);
  }

  /** Settles when what is under way is done, and nothing is written any more. */
  async close(): Promise<void> {
    this.#triggers.dispose();
    await this.#taker?.idle();
    await this.#proof?.finish();
    this.#proof?.dispose();
    await this.#parts.file.close();
    (await this.#parts.kept?.watcher)?.dispose();
    (await this.#parts.kept?.provider.catch(() => undefined))?.dispose();
  }

  dispose(): void {
    this.#taker?.dispose();
  }

  /** One that nobody waits for. Where the moment cannot be recorded, the session is over. */
  #inPassing(request: Omit<SnapshotRequest, 'kind'>): void {
    this.#taker?.take({ ...request, kind: 'auto' }).catch(() => {});
  }

  #later(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#parts.clock.schedule(delayMs, resolve));
  }
}
