import type { Clock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { UserError } from '../base/errors.ts';
import { nodeFiles } from '../node/files/files.ts';
import type { SnapshotsFile } from '../node/snapshots/snapshotsFile.ts';
import type { SnapshotProvider } from '../snapshots/provider.ts';
import type { SnapshotLine } from '../snapshots/snapshotLine.ts';
import { FIRST_LABEL } from '../snapshots/snapshotName.ts';
import type { Recorder } from './recorder.ts';
import { SnapshotNumbers } from './snapshotNumbers.ts';
import { SnapshotTaker, type SnapshotRequest } from './snapshotTaker.ts';
import { Bursts } from './bursts.ts';
import { SnapshotVerifier } from './snapshotVerifier.ts';
import { UnprovenLines } from './unprovenLines.ts';
import type { WorkspaceWatcher } from './workspaceWatcher.ts';

/** How long an agent waits for a snapshot. */
const BUDGET_MS = 150;
/** What a program finds at its start is what one goes back to most: it waits longer. */
const START_BUDGET_MS = 2000;
const GIVE_UP_MS = 60_000;
const END_MS = 2000;
const DEFAULT_MINUTES = 5;
/** A shell that is fed by a program ends many commands a second: those within this time share a snapshot. */
const BURST_MS = 300;
const START = { label: FIRST_LABEL, trigger: 'start' } as const;
/** One git command moves HEAD several times. */
const GIT_PAUSE_MS = 300;

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
  /** What asks for moments by itself. */
  readonly #triggers = new DisposableStore();
  readonly #resources = new DisposableStore();
  readonly #unproven = new UnprovenLines();
  readonly #numbers = new SnapshotNumbers();
  readonly #verifier: SnapshotVerifier | undefined;
  /** Of the snapshot at the end, which looks everywhere. */
  #endRef: string | undefined;
  readonly #started: Promise<Recorder>;
  #start: (recorder: Recorder) => void = () => {};
  #recorder: Recorder | undefined;
  #onDidKeep: () => void = () => {};
  readonly #commands: Bursts<string>;

  constructor(parts: SessionSnapshotsParts) {
    this.#parts = parts;
    this.#started = new Promise((resolve) => (this.#start = resolve));
    const { sessionId, file, clock, kept } = parts;
    this.#commands = new Bursts(clock, BURST_MS, (labels) => {
      for (const label of labels) this.#inPassing({ label, trigger: 'command' });
    });
    this.#triggers.add(this.#commands);
    if (!kept) return;
    const { provider, watcher } = kept;
    const verifier = new SnapshotVerifier(
      {
        ...{ provider, clock, stat: (path) => nodeFiles.stat(path) },
        catchUp: async () => (await watcher)?.catchUp() ?? false,
      },
      (missed, untilNs) => void this.#afterLook(missed, untilNs, watcher),
    );
    this.#verifier = this.#resources.add(verifier);
    this.#taker = new SnapshotTaker({
      ...{ sessionId, provider, clock, budgetMs: BUDGET_MS, giveUpMs: GIVE_UP_MS },
      nextId: () => this.#numbers.next(),
      // Before the program runs, nothing has been printed.
      settle: () => this.#recorder?.settle() ?? Promise.resolve(0),
      record: async (...moment) => (await this.#started).recordSnapshot(...moment),
      append: (line, trustingSinceNs) => {
        if (trustingSinceNs !== undefined) this.#unproven.add(line, trustingSinceNs);
        if (line.trigger === 'end' && line.files.state === 'kept') this.#endRef = line.files.ref;
        parts.onDidRecord?.(line);
        return file.append(line);
      },
      onDidKeep: () => this.#onDidKeep(),
      hasStarted: () => this.#recorder !== undefined,
      onDidTrust: (taken, startedNs) => verifier.note(taken, startedNs),
      changes: {
        take: async () => {
          const watching = await watcher;
          const changed = await watching?.take();
          verifier.begin();
          // Whatever happens in these is not told, and is looked at each time.
          verifier.tell(watching?.deepFolders ?? []);
          return changed;
        },
        forget: () => void watcher.then((each) => each?.forget()),
      },
    });
    void watcher.then((each) => {
      if (!each) return;
      this.#followGit(each);
      this.#resources.add(each.onDidChange((paths) => verifier.tell(paths)));
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
    if (this.#taker && everyMinutes > 0) this.#tick(everyMinutes);
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
    this.#commands.push(command === undefined ? 'Command' : `$ ${this.#parts.safeLabel(command)}`);
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
    this.#commands.flush();
    this.#triggers.dispose();
    this.#verifier?.stop();
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
    await this.#proveRest();
    this.#resources.dispose();
    await this.#parts.file.close();
    (await this.#parts.kept?.watcher)?.dispose();
    (await this.#parts.kept?.provider.catch(() => undefined))?.dispose();
  }

  dispose(): void {
    this.#taker?.dispose();
  }

  #tick(minutes: number): void {
    const label = minutes === 1 ? 'Every minute' : `Every ${minutes} minutes`;
    const again = () => {
      this.#inPassing({ label, trigger: 'timer', isOnlyIfChanged: true });
      this.#tick(minutes);
    };
    this.#triggers.add(this.#parts.clock.schedule(minutes * 60_000, again));
  }

  #followGit(watcher: WorkspaceWatcher): void {
    let isDue = false;
    const take = () => {
      isDue = false;
      this.#inPassing({ label: 'Git', trigger: 'git', isOnlyIfChanged: true });
    };
    const notice = () => {
      if (isDue || !this.#recorder) return;
      isDue = true;
      this.#triggers.add(this.#parts.clock.schedule(GIT_PAUSE_MS, take));
    };
    this.#triggers.add(watcher.onDidGitOperation(notice));
  }

  /**
   * A watcher that missed a change is not believed any more. The snapshots that believed it since the look before say that they
   * may lack it, and a new one has it.
   */
  async #afterLook(
    missed: readonly string[],
    untilNs: bigint,
    watcher: KeptWorkspace['watcher'],
  ): Promise<void> {
    const said = this.#say(this.#unproven.prove(untilNs, missed));
    if (missed.length > 0) {
      (await watcher)?.distrust();
      // The last one has it anyway.
      if (!this.#triggers.isDisposed)
        this.#inPassing({ label: 'Changes noticed late', trigger: 'timer' });
    }
    await said;
  }

  /** The last snapshot proves those before it, and what it does not prove stays unproven. */
  async #proveRest(): Promise<void> {
    if (this.#unproven.isEmpty) return;
    if (this.#endRef !== undefined) await this.#verifier?.proveBy(this.#endRef);
    await this.#say(this.#unproven.giveUp());
  }

  /** A disk that does not take it leaves them unproven. */
  async #say(lines: readonly SnapshotLine[]): Promise<void> {
    if (lines.length > 0) await this.#parts.file.append(...lines).catch(() => {});
  }

  /** One that nobody waits for. Where the moment cannot be recorded, the session is over. */
  #inPassing(request: Omit<SnapshotRequest, 'kind'>): void {
    this.#taker?.take({ ...request, kind: 'auto' }).catch(() => {});
  }

  #later(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#parts.clock.schedule(delayMs, resolve));
  }
}
