import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf, UserError } from '../base/errors.ts';
import type { ExactValue } from '../base/exactJson.ts';
import { decodeProvenance } from '../branching/common/provenance.ts';
import { decodeBlock } from '../recording/read/blockDecoder.ts';
import { RecordingWriter } from '../recording/write/writer.ts';
import { brotliCompressor, brotliDecompressor } from '../platform/node/files/brotli.ts';
import { tellBranch } from '../branching/node/make/branchEvents.ts';
import { Catalogue } from '../sessions/node/catalogue.ts';
import { FileSink } from '../platform/node/files/fileSink.ts';
import { FileSource } from '../platform/node/files/fileSource.ts';
import { StatThread } from '../platform/node/files/statThread.ts';
import type { LaunchSpec, TerminalSize } from '../sessions/node/launchSpec.ts';
import { socketPath } from '../platform/node/paths.ts';
import { changeSessionNotes } from '../sessions/node/sessionNotes.ts';
import { writeSessionMeta, type SessionMeta } from '../sessions/node/sessionMeta.ts';
import { SnapshotsFile } from '../snapshots/node/snapshotsFile.ts';
import { openRecordersProvider } from '../snapshots/node/snapshotProviders.ts';
import { SystemClock } from '../platform/node/systemClock.ts';
import { AgentFollower } from './agent/agentFollower.ts';
import { CommandBoundaries } from './pty/commandBoundaries.ts';
import { HostLog } from './hostLog.ts';
import { IpcServer } from './clients/ipcServer.ts';
import { ModelFeed } from './model/modelFeed.ts';
import { makeSessionFolder, sessionIsMade } from './newSessionFolder.ts';
import { PtyProcess } from './pty/ptyProcess.ts';
import { Recorder } from './recorder.ts';
import { Redaction } from './redaction/redaction.ts';
import { Session } from './session.ts';
import { SessionLog } from './sessionLog.ts';
import { TerminalTitles } from './pty/terminalTitles.ts';
import { SessionSnapshots, type KeptWorkspace } from './snapshots/sessionSnapshots.ts';
import { WorkspaceWatcher } from './snapshots/workspaceWatcher.ts';

/** What a kill may cost is this and the time to write a block; repacking makes up for the small blocks. */
const BLOCK_AGE_MS = 100;
/** How long a program waits for the client that started it. */
const FIRST_CLIENT_MS = 5000;

/**
 * Builds a session out of its parts and starts the program. When it throws nothing runs, and nothing is left behind but for a first
 * snapshot, until the next pruning.
 * @param terminal its size, once it is there: what takes long is begun before
 */
export async function startSession(
  spec: LaunchSpec,
  terminal: Promise<TerminalSize>,
  workerFile: string,
): Promise<Session> {
  await makeSessionFolder(spec.folder);
  try {
    return await buildSession(spec, terminal, workerFile);
  } catch (error) {
    await new Catalogue().remove(spec.id);
    await rm(spec.folder, { recursive: true, force: true });
    // An empty file that was made here; one that was there before could not be opened.
    if ((error as { code?: unknown }).code !== 'cannot-write')
      await rm(spec.recording, { force: true });
    throw error;
  }
}

async function buildSession(
  spec: LaunchSpec,
  terminal: Promise<TerminalSize>,
  workerFile: string,
): Promise<Session> {
  const clock = new SystemClock();
  const redaction = Redaction.of(spec);
  const sink = await FileSink.create(spec.recording).catch((error: unknown) => {
    const message = `The recording cannot be written: ${messageOf(error)}`;
    throw new UserError('cannot-write', message, { cause: error });
  });
  const source = await FileSource.open(spec.recording);
  const followed: { agent?: AgentFollower } = {};
  const snapshots = new SessionSnapshots({
    sessionId: spec.id,
    file: await SnapshotsFile.open(spec.folder),
    clock,
    kept: keptWorkspace(spec, path.join(path.dirname(workerFile), 'statWorker.cjs')),
    safeLabel: (label) => redaction?.text(label) ?? label,
    onDidRecord: ({ anchorByte, tsNs }) => followed.agent?.momentRecorded(anchorByte, tsNs),
  });
  const size = await sizeOf(terminal, () => snapshots.prepare());
  const kept = snapshots.beforeStart();
  const writer = new RecordingWriter({
    sink,
    clock,
    compressor: brotliCompressor,
    quality: spec.brotliQ,
    maxBlockAgeMs: BLOCK_AGE_MS,
  });
  const log = new SessionLog(redaction?.writer(writer) ?? writer, async (block) => {
    const { records, problem } = await decodeBlock(source, brotliDecompressor, block);
    if (problem) throw new Error(problem.message);
    return records;
  });

  const ipc = new IpcServer(({ snapshotId, label }) => snapshots.notified(snapshotId, label));
  const ipcSocket: string = await ipc.listen(
    spec.ipc.kind === 'tcp'
      ? spec.ipc
      : { kind: 'socket', path: socketPath(spec.folder, 'ipc.sock') },
  );

  const told = spec.branchOf as unknown as ExactValue;
  const branchOf = decodeProvenance(redaction?.value(told) ?? told);
  const meta: SessionMeta = {
    version: 1,
    id: spec.id,
    state: 'running',
    startedAtNs: clock.nowNs(),
    cmd: redaction?.command(spec.cmd) ?? spec.cmd,
    cwd: spec.cwd,
    ...(spec.workspace !== undefined && { workspace: spec.workspace }),
    ...size,
    brotliQ: spec.brotliQ,
    host: { os: os.platform(), arch: os.arch(), pid: process.pid },
    recording: spec.recording,
    ...(spec.isExternal && { isExternal: true }),
    hostSocket: socketPath(spec.folder, 'host.sock'),
    ipcSocket,
    ...(redaction && { redacts: true }),
    ...(branchOf && { branchOf }),
  };
  const catalogue = new Catalogue();
  if (spec.isCaptureOff) await changeSessionNotes(spec.folder, { isCaptureOff: true });
  await Promise.all([writeSessionMeta(spec.folder, meta), catalogue.add(spec.id, spec.folder)]);
  await sessionIsMade(spec.folder);
  if (branchOf) tellBranch(spec.folder, spec.id, spec.agent, branchOf, meta.startedAtNs);

  const hostLog = new HostLog(
    path.join(spec.folder, 'host.log'),
    (message) => redaction?.text(message) ?? message,
  );
  const agent = await AgentFollower.open(spec, {
    ...{ clock, redaction },
    byteOffset: () => log.totalBytes,
    keepFiles: (request) => snapshots.take(request),
    reportBug: (error) => hostLog.write(`Following the agent: ${messageOf(error)}`),
  });
  if (agent) followed.agent = agent;
  if (spec.isCaptureOff) await agent?.setCapture(false);
  const additions = await agent?.additions();
  await kept;
  const pty: PtyProcess = new PtyProcess({
    file: spec.cmd[0]!,
    args: [...(additions?.args ?? []), ...spec.cmd.slice(1)],
    cwd: spec.cwd,
    env: {
      ...spec.env,
      ...additions?.env,
      PWD: spec.cwd,
      AH_SESSION_ID: spec.id,
      AH_SESSION_DIR: spec.folder,
      AH_IPC_SOCKET: ipcSocket,
    },
    ...size,
    readerFile: path.join(path.dirname(workerFile), 'ptyReaderWorker.cjs'),
  });
  const recorder: Recorder = new Recorder({
    ...{ pty, log, writer, clock, size },
    capturesInput: spec.capturesInput === true,
  });
  if (spec.isCaptureOff) recorder.setInputCapture(false);
  snapshots.started(recorder);
  const commands = new CommandBoundaries((command) => snapshots.afterCommand(command));
  pty.onData((chunk) => commands.push(chunk));
  const titles = new TerminalTitles({
    onTitle: (title) => void agent?.titleChanged(title),
    onState: (said) => void agent?.stateTold(said),
  });
  if (agent) pty.onData((chunk) => titles.push(chunk));
  const model = new ModelFeed(log, workerFile, {
    ...size,
    // It would hold whole screens; whoever needs it makes it from the recording.
    ...(!spec.isExternal &&
      !redaction && { keyframesFile: path.join(spec.folder, 'session.keyframes') }),
  });
  const session = new Session({
    folder: spec.folder,
    closeFiles: async () => {
      await sink.close();
      await source.close();
    },
    ...{ meta, clock, writer, log, model, recorder, snapshots, agent, ipc, catalogue, hostLog },
    firstClientMs: spec.waitForClient ? FIRST_CLIENT_MS : 0,
  });
  try {
    await session.listen();
  } catch (error) {
    pty.kill('SIGKILL');
    throw error;
  }
  recorder.begin(session.firstClient);
  return session;
}

/** @param onDidWait called when it is not there yet */
async function sizeOf(
  terminal: Promise<TerminalSize>,
  onDidWait: () => void,
): Promise<TerminalSize> {
  const isThere = await Promise.race([terminal.then(() => true), nextTurn(false)]);
  if (!isThere) onDidWait();
  const { cols, rows } = await terminal;
  return { cols, rows };
}

/** Who keeps the files of the workspace, and who knows which have changed. */
function keptWorkspace(
  { workspace, folder, snapshotMinutes }: LaunchSpec,
  statWorkerFile: string,
): KeptWorkspace | undefined {
  if (workspace === undefined) return undefined;
  // It lives as long as this process.
  const { files } = new StatThread(statWorkerFile);
  return {
    everyMinutes: snapshotMinutes,
    provider: openRecordersProvider(workspace, files),
    watcher: WorkspaceWatcher.start(workspace, path.join(folder, 'watch')),
  };
}
