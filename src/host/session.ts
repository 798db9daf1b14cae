import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Emitter } from '../base/emitter.ts';
import { messageOf } from '../base/errors.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { SystemClock } from '../platform/node/systemClock.ts';
import type { ProgramExit, SessionStatus } from '../sessions/common/recorderProtocol.ts';
import { Catalogue } from '../sessions/node/catalogue.ts';
import { writeSessionMeta, type SessionMeta } from '../sessions/node/sessionMeta.ts';
import type { AgentFollower } from './agent/agentFollower.ts';
import { ClientServer } from './clients/clientServer.ts';
import type { IpcServer } from './clients/ipcServer.ts';
import { QueryArbiter } from './clients/queryArbiter.ts';
import type { SharedSession } from './clients/sharedSession.ts';
import type { ModelFeed } from './model/modelFeed.ts';
import type { OpenRecording } from './openRecording.ts';
import type { Recorder } from './recorder.ts';
import { repackInPlace } from './repackInPlace.ts';
import type { SessionContext } from './sessionContext.ts';
import type { SessionLog } from './sessionLog.ts';
import type { SessionSnapshots } from './snapshots/sessionSnapshots.ts';

export interface SessionParts {
  readonly context: SessionContext;
  readonly meta: SessionMeta;
  readonly recording: OpenRecording;
  readonly model: ModelFeed;
  readonly recorder: Recorder;
  readonly snapshots: SessionSnapshots;
  readonly agent: AgentFollower | undefined;
  readonly ipc: IpcServer;
}

/** How long the start and the end of the session wait for the client that started the session. */
const FIRST_CLIENT_MS = 5000;
/** Longest time that a pause waits for its mark to be written, in case the disk fails. */
const MARK_WAIT_MS = 1000;
/** How long the end of a session retries to write when the disk is full. */
const GIVE_UP_WRITING_MS = 60 * 60 * 1000;
const META_RETRY_MS = 1000;

/** One recorded program, from its start to the last byte on disk. */
export class Session implements SharedSession {
  readonly #parts: SessionParts;
  readonly #clients: ClientServer;
  readonly queryArbiter: QueryArbiter;
  readonly #completions = new Emitter<void>();
  /** Runs pauses and switches of the capture one after the other. */
  readonly #switches = new Sequencer();
  #isCaptureOn: boolean;
  #completed: ProgramExit | undefined;
  #trouble: string | null = null;

  readonly onDidComplete = this.#completions.event;
  /** Settles when a client has attached, or when none has attached in time. */
  readonly firstClient: Promise<void>;
  /** Settles when everything is on disk, all clients are served and the sockets are removed. */
  readonly ended: Promise<void>;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { context, recording, recorder, model } = parts;
    this.#isCaptureOn = context.spec.isCaptureOff !== true;
    this.#clients = new ClientServer(this);
    this.firstClient = this.#clients.firstAttachment(
      context.spec.waitForClient ? FIRST_CLIENT_MS : 0,
    );
    recording.writer.onDidChangeTrouble((trouble) => this.#setTrouble(trouble?.message ?? null));
    model.onDidFail((error) => this.reportBug(error));
    this.queryArbiter = new QueryArbiter((bytes) => recorder.input(bytes));
    model.onReply(({ index, bytes }) => this.queryArbiter.modelAnswered(index, bytes));
    this.ended = new Promise((resolve, reject) => {
      recorder.onDidExit((exit) => void this.#end(exit).then(resolve, reject));
    });
  }

  get id(): string {
    return this.#parts.meta.id;
  }

  get clock(): SystemClock {
    return this.#parts.context.clock;
  }

  get log(): SessionLog {
    return this.#parts.recording.log;
  }

  get model(): ModelFeed {
    return this.#parts.model;
  }

  get recorder(): Recorder {
    return this.#parts.recorder;
  }

  get snapshots(): SessionSnapshots {
    return this.#parts.snapshots;
  }

  get completed(): ProgramExit | undefined {
    return this.#completed;
  }

  get hostSocket(): string {
    return this.#parts.meta.hostSocket;
  }

  listen(): Promise<void> {
    return this.#clients.listen(this.#parts.meta.hostSocket);
  }

  reportBug(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#logLine(`Bug: ${text}`);
  }

  status(): SessionStatus {
    return {
      sessionId: this.id,
      pid: this.recorder.pid,
      clients: this.#clients.attachedCount,
      isRunning: !this.recorder.exit,
      trouble: this.#trouble,
      isPaused: this.recorder.isPaused,
      byteOffset: this.log.totalBytes,
      ...this.recorder.size,
    };
  }

  setCapture(isOn: boolean): Promise<void> {
    return this.#switches.queue(async () => {
      this.#isCaptureOn = isOn;
      this.recorder.setInputCapture(isOn);
      await this.#parts.agent?.setCapture(isOn && !this.recorder.isPaused);
      this.#logLine(isOn ? 'Capture was turned on.' : 'Capture was turned off.');
    });
  }

  setPaused(isPaused: boolean): Promise<void> {
    return this.#switches.queue(async () => {
      if (isPaused === this.recorder.isPaused || this.recorder.exit) return;
      const { agent, snapshots } = this.#parts;
      if (isPaused) {
        this.recorder.pause();
        // In parallel: the agent may wait for hooks, which must not delay pausing the snapshots.
        await Promise.all([snapshots.pause(), agent?.setCapture(false)]);
        await this.#storeMark();
      } else {
        await this.recorder.resume();
        snapshots.resume();
        await agent?.setCapture(this.#isCaptureOn);
      }
      this.#logLine(isPaused ? 'The recording was paused.' : 'The recording was resumed.');
    });
  }

  /**
   * Writes the mark of a pause to disk. If the disk fails, the recording is paused all the same.
   */
  async #storeMark(): Promise<void> {
    const stored = this.#parts.recording.writer.flush();
    stored.catch(() => {}); // The writer reports its trouble by itself.
    await Promise.race([stored, sleep(MARK_WAIT_MS, undefined, { ref: false })]);
  }

  /** Completes the recording first, then serves the clients, then repacks. */
  async #end(exit: ProgramExit): Promise<void> {
    const { context, recording, snapshots, ipc, model, meta, agent } = this.#parts;
    ipc.dispose();
    await snapshots.afterExit();
    this.recorder.close();
    const isComplete = await this.#closeRecording();
    await this.#writeFinalMeta(exit, isComplete);
    // An external recording is the user's file: it must not change after the command has returned.
    if (isComplete && meta.isExternal) await this.#repack();
    this.#completed = exit;
    this.#completions.fire();
    await Promise.all([
      this.#serveClients(),
      model.finish(),
      snapshots.close(),
      agent?.finish(exit).catch((error: unknown) => this.reportBug(error)),
    ]);
    // While the socket exists, other programs know that snapshots may still be completed.
    await this.#clients.close();
    model.dispose();
    recording.writer.dispose();
    await recording.close();
    if (isComplete && !meta.isExternal) await this.#repack();
    if (meta.isExternal) {
      await new Catalogue().remove(this.id);
      await rm(context.spec.folder, { recursive: true, force: true });
    }
  }

  async #serveClients(): Promise<void> {
    await this.firstClient;
    await this.#clients.serveToTheEnd();
    this.#clients.disconnectAll();
  }

  /** Repacking is optional: without it the recording is larger, but complete. */
  async #repack(): Promise<void> {
    const { recording, brotliQ } = this.#parts.meta;
    try {
      await repackInPlace(recording, brotliQ);
    } catch (error) {
      this.#logLine(`Can't repack the recording: ${messageOf(error)}`);
    }
  }

  async #closeRecording(): Promise<boolean> {
    const { writer } = this.#parts.recording;
    const timer = setTimeout(() => writer.abandon(), GIVE_UP_WRITING_MS);
    try {
      await writer.close();
      return true;
    } catch (error) {
      this.#logLine(`Can't write the end of the recording: ${messageOf(error)}`);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  async #writeFinalMeta(exit: ProgramExit, isComplete: boolean): Promise<void> {
    const { context, meta } = this.#parts;
    const finalMeta: SessionMeta = {
      ...meta,
      state: isComplete ? 'finished' : 'interrupted',
      endedAtNs: context.clock.nowNs(),
      exitCode: exit.exitCode,
      signal: exit.signal,
      ...(exit.stoppedByUser && { stoppedByUser: true }),
      totalBytes: this.log.totalBytes,
      ...this.recorder.size,
    };
    const deadline = performance.now() + (isComplete ? GIVE_UP_WRITING_MS : 0);
    for (let tries = 0; ; tries++) {
      try {
        await writeSessionMeta(context.spec.folder, finalMeta);
        if (tries > 0) this.#setTrouble(null);
        return;
      } catch (error) {
        if (tries === 0) this.#setTrouble(`Can't save the session: ${messageOf(error)}`);
        if (performance.now() > deadline) return;
        await new Promise((resolve) => setTimeout(resolve, META_RETRY_MS));
      }
    }
  }

  #setTrouble(message: string | null): void {
    this.#trouble = message;
    this.#logLine(message ? `Writing fails: ${message}` : 'Writing works again.');
    this.#clients.notifyTrouble(message);
  }

  #logLine(message: string): void {
    this.#parts.context.hostLog.write(message);
  }
}
