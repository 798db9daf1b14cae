import { rm } from 'node:fs/promises';
import { Emitter } from '../base/emitter.ts';
import { messageOf } from '../base/errors.ts';
import type { RecordingWriter } from '../recording/write/writer.ts';
import type { ProgramExit, SessionStatus } from '../sessions/common/recorderProtocol.ts';
import type { Catalogue } from '../sessions/node/catalogue.ts';
import { writeSessionMeta, type SessionMeta } from '../sessions/node/sessionMeta.ts';
import type { SystemClock } from '../platform/node/systemClock.ts';
import type { AgentFollower } from './agent/agentFollower.ts';
import { QueryArbiter } from './clients/queryArbiter.ts';
import { ClientServer } from './clients/clientServer.ts';
import type { SharedSession } from './clients/clientSession.ts';
import type { HostLog } from './hostLog.ts';
import type { IpcServer } from './clients/ipcServer.ts';
import type { ModelFeed } from './model/modelFeed.ts';
import type { Recorder } from './recorder.ts';
import { repackInPlace } from './repackInPlace.ts';
import type { SessionLog } from './sessionLog.ts';
import type { SessionSnapshots } from './snapshots/sessionSnapshots.ts';

export interface SessionParts {
  readonly folder: string;
  readonly meta: SessionMeta;
  readonly clock: SystemClock;
  readonly writer: RecordingWriter;
  readonly log: SessionLog;
  readonly model: ModelFeed;
  readonly recorder: Recorder;
  readonly snapshots: SessionSnapshots;
  readonly agent: AgentFollower | undefined;
  readonly ipc: IpcServer;
  readonly catalogue: Catalogue;
  readonly hostLog: HostLog;
  /** How long the program, and at its end the host, waits for the client that asked for it. */
  readonly firstClientMs: number;
  /** Closes the recording's file. */
  closeFiles(): Promise<void>;
}

/** A full disk at the very end is waited for, but not for ever. */
const GIVE_UP_WRITING_MS = 60 * 60 * 1000;
const META_RETRY_MS = 1000;

/** One recorded program, from its start to the last byte on disk. */
export class Session implements SharedSession {
  readonly #parts: SessionParts;
  readonly #clients: ClientServer;
  readonly answering: QueryArbiter;
  readonly #completions = new Emitter<void>();
  #completed: ProgramExit | undefined;
  #trouble: string | null = null;

  readonly onDidComplete = this.#completions.event;
  /** A client has attached, or none came in time. */
  readonly firstClient: Promise<void>;
  /** Settles when everything is on disk, everybody has been told, and nothing is left behind. */
  readonly ended: Promise<void>;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#clients = new ClientServer(this);
    this.firstClient = this.#clients.firstAttachment(parts.firstClientMs);
    parts.writer.onDidChangeTrouble((trouble) => this.#tellTrouble(trouble?.message ?? null));
    parts.model.onDidFail((error) => this.reportBug(error));
    this.answering = new QueryArbiter((bytes) => parts.recorder.input(bytes));
    parts.model.onReply(({ index, bytes }) => this.answering.modelAnswered(index, bytes));
    this.ended = new Promise((resolve, reject) => {
      parts.recorder.onDidExit((exit) => void this.#end(exit).then(resolve, reject));
    });
  }

  get id(): string {
    return this.#parts.meta.id;
  }

  get clock(): SystemClock {
    return this.#parts.clock;
  }

  get log(): SessionLog {
    return this.#parts.log;
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

  get onDidAttachClient() {
    return this.#clients.onDidAttach;
  }

  get hostSocket(): string {
    return this.#parts.meta.hostSocket;
  }

  listen(): Promise<void> {
    return this.#clients.listen(this.#parts.meta.hostSocket);
  }

  reportBug(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#parts.hostLog.write(`Bug: ${text}`);
  }

  status(): SessionStatus {
    return {
      sessionId: this.id,
      pid: this.recorder.pid,
      clients: this.#clients.attachedCount,
      isRunning: !this.recorder.exit,
      trouble: this.#trouble,
      byteOffset: this.log.totalBytes,
      ...this.recorder.size,
    };
  }

  async setCapture(isOn: boolean): Promise<void> {
    this.recorder.setInputCapture(isOn);
    await this.#parts.agent?.setCapture(isOn);
    this.#parts.hostLog.write(isOn ? 'Capture is on again.' : 'Capture is off.');
  }

  /** The order matters: first the bytes, then whoever watches, then what is only nice to have. */
  async #end(exit: ProgramExit): Promise<void> {
    const { writer, snapshots, ipc, model, catalogue, folder, meta, agent } = this.#parts;
    ipc.dispose();
    await snapshots.afterExit();
    this.recorder.close();
    const isComplete = await this.#closeRecording();
    await this.#writeFinalMeta(exit, isComplete);
    // The user's own file is left alone once the command has returned.
    if (isComplete && meta.isExternal) await this.#repack();
    this.#completed = exit;
    this.#completions.fire();
    await Promise.all([
      this.#serveClients(),
      model.finish(),
      snapshots.close(),
      agent?.finish(exit).catch((error: unknown) => this.reportBug(error)),
    ]);
    // Until now it could be seen that snapshots were still being completed.
    await this.#clients.close();
    model.dispose();
    writer.dispose();
    await this.#parts.closeFiles();
    if (isComplete && !meta.isExternal) await this.#repack();
    if (meta.isExternal) {
      await catalogue.remove(this.id);
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #serveClients(): Promise<void> {
    await this.firstClient;
    await this.#clients.serveToTheEnd();
    this.#clients.letGo();
  }

  /** Nice to have: without it the recording is larger, and as good. */
  async #repack(): Promise<void> {
    const { meta, hostLog } = this.#parts;
    try {
      await repackInPlace(meta.recording, meta.brotliQ);
    } catch (error) {
      hostLog.write(`The recording was not repacked: ${messageOf(error)}`);
    }
  }

  async #closeRecording(): Promise<boolean> {
    const { writer, hostLog } = this.#parts;
    const timer = setTimeout(() => writer.abandon(), GIVE_UP_WRITING_MS);
    try {
      await writer.close();
      return true;
    } catch (error) {
      hostLog.write(`The end of the recording could not be written: ${messageOf(error)}`);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  async #writeFinalMeta(exit: ProgramExit, isComplete: boolean): Promise<void> {
    const { folder, meta, clock } = this.#parts;
    const finalMeta: SessionMeta = {
      ...meta,
      state: isComplete ? 'finished' : 'interrupted',
      endedAtNs: clock.nowNs(),
      exitCode: exit.exitCode,
      signal: exit.signal,
      totalBytes: this.log.totalBytes,
      ...this.recorder.size,
    };
    const deadline = performance.now() + (isComplete ? GIVE_UP_WRITING_MS : 0);
    for (let tries = 0; ; tries++) {
      try {
        await writeSessionMeta(folder, finalMeta);
        if (tries > 0) this.#tellTrouble(null);
        return;
      } catch (error) {
        if (tries === 0) this.#tellTrouble(`The session cannot be saved: ${messageOf(error)}`);
        if (performance.now() > deadline) return;
        await new Promise((resolve) => setTimeout(resolve, META_RETRY_MS));
      }
    }
  }

  #tellTrouble(message: string | null): void {
    this.#trouble = message;
    this.#parts.hostLog.write(message ? `Writing fails: ${message}` : 'Writing works again.');
    this.#clients.tellTrouble(message);
  }
}
