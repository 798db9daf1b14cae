import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { findProgram } from '../../platform/node/processes/findProgram.ts';
import { branchCaptures } from '../../branching/node/make/branchCaptures.ts';
import { branchLaunchSpec } from '../../branching/node/make/launchBranch.ts';
import { launchCaptures, type Captures } from '../../sessions/node/launchCaptures.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import { parseIpcChoice, type LaunchSpec } from '../../sessions/node/launchSpec.ts';
import { newSessionId, prepareRecorder } from '../../sessions/node/recorderLauncher.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { changeSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { workspaceOf } from '../../snapshots/node/open/workspaceOf.ts';
import { configuration, type Configuration } from '../configuration.ts';
import type { RecordedCommand } from './recordedCommand.ts';
import { workspaceKey } from '../workspaceKey.ts';

export interface LaunchedSession {
  readonly id: string;
  readonly folder: string;
  readonly client: RecorderClient;
}

export interface SessionPaths {
  /** The bundled script that recorders run. */
  readonly hostFile: string;
  /** The CLI that ships with the extension. */
  readonly commandLineFile: string;
  /** The folder in which new sessions get their folders. */
  readonly sessionsFolder: string;
}

/** A recorder that waits for its terminal. */
export interface PreparedSession {
  /** Starts the program once the terminal is open. */
  begin(size: TerminalSize): Promise<LaunchedSession>;
  /** Stops the recorder if the terminal never opens. Has no effect after `begin`. */
  abandon(): void;
}

/** Starts a detached recorder while VS Code creates its terminal. */
export async function prepareSession(
  paths: SessionPaths,
  command: RecordedCommand,
): Promise<PreparedSession> {
  const spec = command.branch
    ? branchLaunchSpec(command.branch, {
        sessionsFolder: paths.sessionsFolder,
        env: programEnvironment(),
        brotliQ: configuration().compression,
        keepsFiles: configuration().keepsFiles,
        snapshotMinutes: configuration().snapshotMinutes,
        unicodeVersion: configuration().unicodeVersion,
        scrollbackLines: configuration().scrollbackLines,
        waitForClient: true,
        captures: await branchCaptures(command.branch, capturesOf(configuration())),
      })
    : newSessionSpec(paths, command);
  const recorder = prepareRecorder(paths.hostFile, spec);
  return {
    async begin(size) {
      const { hostSocket } = await recorder.begin(size);
      const { id, folder } = spec;
      return { id, folder, client: await RecorderClient.connect(hostSocket) };
    },
    abandon: () => recorder.abandon(),
  };
}

function newSessionSpec(paths: SessionPaths, command: RecordedCommand): LaunchSpec {
  const id = newSessionId();
  const folder = path.join(paths.sessionsFolder, id);
  const cwd = command.cwd ?? workingFolder();
  const env = programEnvironment();
  const [name = '', ...args] = command.cmd;
  return {
    id,
    folder,
    cwd,
    env,
    ...launchCaptures(capturesOf(configuration()), command.agent),
    ...(configuration().keepsFiles && { workspace: workspaceOf(cwd) }),
    snapshotMinutes: configuration().snapshotMinutes,
    unicodeVersion: configuration().unicodeVersion,
    scrollbackLines: configuration().scrollbackLines,
    recording: path.join(folder, 'session.ahr'),
    isExternal: false,
    cmd: [findProgram(name, env, cwd), ...args],
    brotliQ: configuration().compression,
    ipc: parseIpcChoice('auto'),
    waitForClient: true,
  };
}

/** What new sessions capture according to the settings. */
function capturesOf(settings: Configuration): Captures {
  const { followsAgents, capturesInput, redacts, integratesShell, allowsUnreviewedHooks } =
    settings;
  return { followsAgents, capturesInput, redacts, integratesShell, allowsUnreviewedHooks };
}

/**
 * Writes a new session's notes. Called after the launch, because short programs would have to wait
 * for it.
 */
export async function writeLaunchNotes(folder: string, command: RecordedCommand): Promise<void> {
  await changeSessionNotes(folder, {
    workspace: workspaceKey(),
    shownIn: [workspaceKey()],
    ...(command.agent !== undefined && { agent: command.agent }),
    ...(command.isNamed && { name: command.name }),
  });
}

/** The workspace folder of the active editor, else the first one, else the home folder. */
function workingFolder(): string {
  const { workspaceFolders = [], getWorkspaceFolder } = vscode.workspace;
  const document = vscode.window.activeTextEditor?.document;
  const active = document && getWorkspaceFolder(document.uri);
  const uri = (active ?? workspaceFolders[0])?.uri;
  return uri?.scheme === 'file' ? uri.fsPath : homedir();
}

/** The environment that a VS Code terminal gives to programs. */
export function programEnvironment(): Record<string, string> {
  const platform = process.platform === 'darwin' ? 'osx' : 'linux';
  const configured =
    vscode.workspace
      .getConfiguration('terminal.integrated.env')
      .get<Record<string, string | null>>(platform) ?? {};
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'vscode',
    TERM_PROGRAM_VERSION: vscode.version,
    ...Object.fromEntries(
      Object.entries(configured).map(([name, value]) => [name, value ?? undefined]),
    ),
  };
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => {
      const [name, value] = entry;
      // Programs that inherit these variables would behave as a part of VS Code, or of the session
      // or branch in which VS Code runs.
      return (
        value !== undefined && !/^(VSCODE_|ELECTRON_|AH_SESSION_|AH_IPC_|AH_BRANCH_)/.test(name)
      );
    }),
  );
}
