import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DisposableStore, toDisposable } from '../base/lifecycle.ts';
import { storedUnicodeVersion } from '../base/unicodeVersion.ts';
import { Catalogue } from '../sessions/node/catalogue.ts';
import type { TerminalSize } from '../base/terminalSize.ts';
import { MAX_SCROLLBACK_LINES } from '../sessions/common/recorderProtocol.ts';
import type { LaunchSpec } from '../sessions/node/launchSpec.ts';
import type { SessionMeta } from '../sessions/node/sessionMeta.ts';
import { socketPath } from '../platform/node/paths.ts';
import type { AgentFollower } from './agent/agentFollower.ts';
import { followAgent } from './agent/followAgent.ts';
import { IpcServer } from './clients/ipcServer.ts';
import type { ListenAddress } from './clients/listenPrivately.ts';
import { ModelFeed } from './model/modelFeed.ts';
import { openRecording } from './openRecording.ts';
import { CommandBoundaries } from './pty/commandBoundaries.ts';
import type { PtyProcess } from './pty/ptyProcess.ts';
import { startProgram } from './pty/startProgram.ts';
import { TerminalTitles } from './pty/terminalTitles.ts';
import { Recorder } from './recorder.ts';
import { registerSession } from './registerSession.ts';
import { Session } from './session.ts';
import { createContext, type SessionContext } from './sessionContext.ts';
import { claimSessionFolder } from './sessionFolderClaim.ts';
import type { SessionLog } from './sessionLog.ts';
import { openSnapshots } from './snapshots/openSnapshots.ts';
import type { SessionSnapshots } from './snapshots/sessionSnapshots.ts';

/**
 * Minimum scrollback to keep: a client that attaches later may show more lines than the first.
 * Lines take memory only once they have scrolled off.
 */
const MIN_SCROLLBACK_LINES = 10_000;

/**
 * Opens the parts of a session and starts the program. When a part fails, the parts opened before
 * it are disposed of and the session's files are removed; only a first snapshot may stay, until the
 * next pruning. After a failure, the recorder exits, which closes open files.
 * @param terminal size of the terminal; slow parts are prepared before it is known
 * @param workerFolder folder with the bundles of the worker threads
 */
export async function startSession(
  spec: LaunchSpec,
  terminal: Promise<TerminalSize>,
  workerFolder: string,
): Promise<Session> {
  await claimSessionFolder(spec.folder);
  const opened = new DisposableStore();
  try {
    return await openSession(createContext(spec, workerFolder), terminal, opened);
  } catch (error) {
    opened.dispose();
    await removeFiles(spec, error);
    throw error;
  }
}

/** @param opened receives every part that has to be disposed of when a later part fails */
async function openSession(
  context: SessionContext,
  terminal: Promise<TerminalSize>,
  opened: DisposableStore,
): Promise<Session> {
  const recording = await openRecording(context);
  const { log, writer } = recording;
  const snapshots = opened.add(await openSnapshots(context));
  const size = await sizeOf(terminal, () => snapshots.prepare());
  const firstSnapshot = snapshots.beforeStart();
  const ipc = opened.add(
    new IpcServer(({ snapshotId, label }) => snapshots.notified(snapshotId, label)),
  );
  const ipcSocket = await ipc.listen(ipcAddress(context.spec));
  const meta = await registerSession(context, size, ipcSocket);
  const agent = await followAgent(context, log, snapshots);
  const additions = await agent?.additions();
  await firstSnapshot;
  const pty = startProgram(context, size, ipcSocket, additions);
  opened.add(toDisposable(() => pty.kill('SIGKILL')));
  const recorder = openRecorder(context, pty, { log, writer, size });
  snapshots.started(recorder);
  watchOutput(pty, recorder, snapshots, agent);
  const model = opened.add(openModel(context, log, meta));
  const session = new Session({ context, meta, recording, model, recorder, snapshots, agent, ipc });
  await session.listen();
  recorder.begin(session.firstClient);
  return session;
}

/** @param onDidWait called when the size is not known yet */
async function sizeOf(
  terminal: Promise<TerminalSize>,
  onDidWait: () => void,
): Promise<TerminalSize> {
  const isKnown = await Promise.race([terminal.then(() => true), nextTurn(false)]);
  if (!isKnown) onDidWait();
  const { cols, rows } = await terminal;
  return { cols, rows };
}

function ipcAddress({ ipc, folder }: LaunchSpec): ListenAddress {
  return ipc.kind === 'tcp' ? ipc : { kind: 'socket', path: socketPath(folder, 'ipc.sock') };
}

function openRecorder(
  { spec, clock }: SessionContext,
  pty: PtyProcess,
  parts: Pick<ConstructorParameters<typeof Recorder>[0], 'log' | 'writer' | 'size'>,
): Recorder {
  const capturesInput = spec.capturesInput === true;
  const recorder = new Recorder({ ...parts, pty, clock, capturesInput });
  if (spec.isCaptureOff) recorder.setInputCapture(false);
  return recorder;
}

/** Reports ends of shell commands to the snapshots, titles and states to the agent. */
function watchOutput(
  pty: PtyProcess,
  recorder: Recorder,
  snapshots: SessionSnapshots,
  agent: AgentFollower | undefined,
): void {
  const newBoundaries = () => new CommandBoundaries((command) => snapshots.afterCommand(command));
  let commands = newBoundaries();
  pty.onData((chunk) => {
    // A command that began in a pause must not name a snapshot after the pause.
    if (recorder.isPaused) commands = newBoundaries();
    else commands.push(chunk);
  });
  if (!agent) return;
  const titles = new TerminalTitles({
    onTitle: (title) => void agent.titleChanged(title),
    onState: (state) => void agent.stateReported(state),
  });
  pty.onData((chunk) => {
    if (!recorder.isPaused) titles.push(chunk);
  });
}

function openModel(context: SessionContext, log: SessionLog, meta: SessionMeta): ModelFeed {
  const { spec, redaction, workerFolder } = context;
  // None with redaction: keyframes hold whole screens, secrets included. Players can compute them
  // from the recording.
  const hasKeyframes = !spec.isExternal && !redaction.isOn;
  return new ModelFeed(log, path.join(workerFolder, 'modelWorker.cjs'), {
    cols: meta.cols,
    rows: meta.rows,
    unicodeVersion: storedUnicodeVersion(meta.unicodeVersion),
    scrollbackLines: scrollbackOf(spec),
    ...(hasKeyframes && { keyframesFile: path.join(spec.folder, 'session.keyframes') }),
  });
}

function scrollbackOf({ scrollbackLines = 0 }: LaunchSpec): number {
  return Math.min(Math.max(scrollbackLines, MIN_SCROLLBACK_LINES), MAX_SCROLLBACK_LINES);
}

async function removeFiles(spec: LaunchSpec, error: unknown): Promise<void> {
  await new Catalogue().remove(spec.id);
  await rm(spec.folder, { recursive: true, force: true });
  // With `cannot-write` the recorder did not create the file: it may be the user's.
  const isOurs = (error as { code?: unknown }).code !== 'cannot-write';
  if (isOurs) await rm(spec.recording, { force: true });
}
