import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { UserError } from '../../base/errors.ts';
import type { SnapshotsFile } from '../../snapshots/node/list/snapshotsFile.ts';
import type { SnapshotProvider } from '../../snapshots/common/provider.ts';
import {
  changedFilesLabel,
  commandLabel,
  snapshotLabel,
} from '../../snapshots/common/snapshotLabel.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { FIRST_LABEL } from '../../snapshots/common/snapshotName.ts';
import type { Recorder } from '../recorder.ts';
import { SnapshotNumbers } from '../../snapshots/node/take/snapshotNumbers.ts';
import { SnapshotVerification } from '../../snapshots/node/verify/snapshotVerification.ts';
import { SnapshotTaker, type SnapshotRequest } from '../../snapshots/node/take/snapshotTaker.ts';
import { SnapshotTriggers } from './snapshotTriggers.ts';
import type { WorkspaceWatcher } from '../../snapshots/node/watch/workspaceWatcher.ts';

/** How long an agent waits for a snapshot. */
const BUDGET_MS = 150;
/**
 * How long the program waits for the first snapshot before it starts. Users return to this snapshot
 * most often, and it is exact only if it is complete before the program runs. The time is enough
 * for the first snapshot of 100,000 files; later ones read only what has changed.
 */
const START_BUDGET_MS = 10_000;
const GIVE_UP_MS = 60_000;
const END_MS = 2000;
const DEFAULT_MINUTES = 5;
const START = { label: FIRST_LABEL, trigger: 'start' } as const;

export interface SessionSnapshotsParts {
  readonly sessionId: string;
  readonly file: SnapshotsFile;
  readonly clock: Clock;
  /** If undefined, only the snapshots of other programs are recorded. */
  readonly workspace: SnapshottedWorkspace | undefined;
  redactLabel(label: string): string;
}

export interface SnapshottedWorkspace {
  readonly provider: Promise<SnapshotProvider>;
  /** Minutes between automatic snapshots of changed files; 0 disables these. */
  readonly everyMinutes?: number | undefined;
  /** Undefined where watching does not work; then every snapshot scans the whole workspace. */
  readonly watcher: Promise<WorkspaceWatcher | undefined>;
}

/** The snapshots of a session: the recorder's own and those of other programs. */
export class SessionSnapshots implements Disposable {
  readonly #parts: SessionSnapshotsParts;
  readonly #taker: SnapshotTaker | undefined;
  readonly #triggers: SnapshotTriggers;
  readonly #numbers = new SnapshotNumbers();
  readonly #verification: SnapshotVerification | undefined;
  readonly #started: Promise<Recorder>;
  #start: (recorder: Recorder) => void = () => {};
  #recorder: Recorder | undefined;
  #onDidKeep: () => void = () => {};
  #isPaused = false;
  readonly #records = new Emitter<SnapshotLine>();

  /** Fires when a moment was put into the recording, never before {@link started}. */
  readonly onDidRecord = this.#records.event;

  constructor(parts: SessionSnapshotsParts) {
    this.#parts = parts;
    this.#started = new Promise((resolve) => (this.#start = resolve));
    const { sessionId, file, clock, workspace } = parts;
    this.#triggers = new SnapshotTriggers(clock, (request) => this.#takeInBackground(request));
    if (!workspace) return;
    const { provider, watcher } = workspace;
    const verification = new SnapshotVerification({
      provider,
      watcher,
      clock,
      append: (lines) => file.append(...lines),
      onDidMiss: (paths) => {
        // At the end of the session, the last snapshot scans everything anyway.
        if (!this.#triggers.isDisposed)
          this.#takeInBackground({
            label: `Missed by the file watcher: ${changedFilesLabel(paths)}`,
            trigger: 'timer',
          });
      },
    });
    this.#verification = verification;
    this.#taker = new SnapshotTaker({
      sessionId,
      provider,
      clock,
      budgetMs: BUDGET_MS,
      giveUpMs: GIVE_UP_MS,
      nextId: () => this.#numbers.next(),
      releaseId: (id) => this.#numbers.release(id),
      // Before the program runs there is no output to wait for.
      settle: () => this.#recorder?.settle() ?? Promise.resolve(0),
      record: async (...moment) => (await this.#started).recordSnapshot(...moment),
      append: (lines, trustingSinceNs) => {
        for (const line of lines) {
          verification.onDidTake(line, trustingSinceNs);
          this.#records.fire(line);
        }
        return file.append(...lines);
      },
      onDidKeep: () => this.#onDidKeep(),
      hasStarted: () => this.#recorder !== undefined,
      onDidTrust: (...taken) => verification.onDidTrust(...taken),
      changes: verification.changes,
    });
    void watcher.then((each) => {
      if (each) this.#triggers.followGit(each, () => this.#recorder !== undefined);
    });
  }

  /**
   * Scans the workspace while the recorder waits for the terminal, to speed up the first snapshot.
   */
  prepare(): void {
    this.#taker?.prepare({ ...START, kind: 'auto' });
  }

  /** Takes the first snapshot, before the program runs; returns early if it takes too long. */
  async beforeStart(): Promise<void> {
    if (!this.#taker) return;
    const kept = new Promise<void>((resolve) => (this.#onDidKeep = resolve));
    this.#takeInBackground(START);
    await Promise.race([kept, this.#delay(START_BUDGET_MS)]);
    this.#onDidKeep = () => {};
  }

  /** Call once the program runs: from now on moments can be recorded. */
  started(recorder: Recorder): void {
    this.#recorder = recorder;
    this.#start(recorder);
    const { everyMinutes = DEFAULT_MINUTES } = this.#parts.workspace ?? {};
    if (this.#taker && everyMinutes > 0) this.#triggers.every(everyMinutes);
  }

  /** @throws UserError `snapshots-off` */
  async take(request: SnapshotRequest): Promise<SnapshotLine | undefined> {
    this.#checkNotPaused();
    if (!this.#taker) {
      throw new UserError('snapshots-off', 'This session was recorded without snapshots.');
    }
    return this.#taker.take({ ...request, label: this.#parts.redactLabel(request.label) });
  }

  /** Stops taking snapshots until {@link resume}. Returns when none is being taken or verified. */
  async pause(): Promise<void> {
    this.#triggers.flush();
    this.#isPaused = true;
    await Promise.all([this.#taker?.idle(), this.#verification?.pause()]);
  }

  resume(): void {
    this.#isPaused = false;
    this.#verification?.resume();
  }

  /** Call when a command of the recorded shell has ended. */
  afterCommand(command: string | undefined): void {
    if (this.#isPaused) return;
    // Redact before shortening: half of a secret is not recognized.
    this.#triggers.afterCommand(commandLabel(command && this.#parts.redactLabel(command)));
  }

  /**
   * Records a snapshot that another program has taken. The record is on disk when this returns.
   * @throws UserError `number-taken`
   */
  async notified(id: bigint, fullLabel: string): Promise<{ anchorByte: number; tsNs: bigint }> {
    this.#checkNotPaused();
    const label = this.#parts.redactLabel(fullLabel);
    const recorder = await this.#started;
    this.#numbers.claim(id);
    const anchorByte = await recorder.settle();
    const { tsNs, onDisk } = await recorder.recordSnapshot(id, label, anchorByte);
    await onDisk;
    const moment = { id, tsNs, label, anchorByte, kind: 'auto', trigger: 'notified' } as const;
    const line: SnapshotLine = { ...moment, files: { state: 'elsewhere' } };
    this.#records.fire(line);
    await this.#parts.file.append(line);
    return { anchorByte, tsNs };
  }

  /** Takes the last snapshot, after the program's end. If it fails, its moment says so. */
  async afterExit(): Promise<void> {
    if (!this.#taker) return;
    this.#triggers.flush();
    this.#triggers.dispose();
    this.#verification?.stop();
    const request = { label: 'Session end', kind: 'auto', trigger: 'end' } as const;
    // Neither a failure nor a full disk may keep the session from ending.
    const last = this.#isPaused ? Promise.resolve() : this.#taker.take(request);
    await Promise.race([last.catch(() => {}), this.#delay(END_MS)]);
    // Record the moments of waiting requests before the recording is closed; files come later.
    await Promise.race([this.#taker.recordWaiting(), this.#delay(END_MS)]);
  }

  /** Settles when all snapshots are complete and nothing more will be written. */
  async close(): Promise<void> {
    this.#triggers.dispose();
    await this.#taker?.idle();
    await this.#verification?.finish();
    this.#verification?.dispose();
    await this.#parts.file.close();
    const { workspace } = this.#parts;
    (await workspace?.watcher)?.dispose();
    // If the provider failed to open, there is nothing to dispose of; each snapshot has said why.
    (await workspace?.provider.catch(() => undefined))?.dispose();
  }

  dispose(): void {
    this.#taker?.dispose();
  }

  #checkNotPaused(): void {
    if (!this.#isPaused) return;
    const text = "Can't take a snapshot: the recording is paused. Resume it first.";
    throw new UserError('recording-paused', text);
  }

  #takeInBackground({ labelOfChanges, ...request }: Omit<SnapshotRequest, 'kind'>): void {
    if (this.#isPaused) return;
    // Redact before shortening: half of a secret is not recognized.
    const safe = (text: string) => snapshotLabel(this.#parts.redactLabel(text));
    const named = labelOfChanges && ((paths: readonly string[]) => safe(labelOfChanges(paths)));
    // Taking rejects only when the session is over, and then the moment is not needed.
    this.#taker
      ?.take({
        ...request,
        label: safe(request.label),
        kind: 'auto',
        ...(named && { labelOfChanges: named }),
      })
      .catch(() => {});
  }

  #delay(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#parts.clock.schedule(delayMs, resolve));
  }
}
