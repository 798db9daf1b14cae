import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { findProgram } from '../../platform/node/processes/findProgram.ts';
import { branchCaptures } from '../../branching/node/make/branchCaptures.ts';
import { branchLaunchSpec } from '../../branching/node/make/launchBranch.ts';
import { launchCaptures, type Captures } from '../../sessions/node/launchCaptures.ts';
import {
  parseIpcChoice,
  type LaunchSpec,
  type TerminalSize,
} from '../../sessions/node/launchSpec.ts';
import { newSessionId, readyRecorder } from '../../sessions/node/recorderLauncher.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { changeSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { workspaceOf } from '../../snapshots/node/workspaceOf.ts';
import { configuration, type Configuration } from '../configuration.ts';
import type { RecordedCommand } from './recordedCommand.ts';
import { workspaceKey } from '../workspaceKey.ts';

export interface LaunchedSession {
  readonly id: string;
  readonly folder: string;
  readonly client: RecorderClient;
}

export interface SessionPlaces {
  /** Of the bundle that a recorder runs. */
  readonly hostFile: string;
  /** Of the command line that comes with the extension. */
  readonly commandLineFile: string;
  /** Where new sessions are kept. */
  readonly sessionsFolder: string;
}

/** A session whose terminal is not there yet. */
export interface ReadyingSession {
  /** The terminal is there: the program starts. */
  begin(size: TerminalSize): Promise<LaunchedSession>;
  /** It will not be there. Of no effect after `begin`. */
  abandon(): void;
}

/** Starts a recorder that outlives this window, while a terminal is made for it. */
export async function readySession(
  places: SessionPlaces,
  command: RecordedCommand,
): Promise<ReadyingSession> {
  const spec = command.branch
    ? branchLaunchSpec(command.branch, {
        ...{ sessionsFolder: places.sessionsFolder, env: programEnvironment() },
        ...{ brotliQ: configuration().compression, keepsFiles: configuration().keepsFiles },
        snapshotMinutes: configuration().snapshotMinutes,
        waitForClient: true,
        captures: await branchCaptures(command.branch, capturesOf(configuration())),
      })
    : newSessionSpec(places, command);
  const recorder = readyRecorder(places.hostFile, spec);
  return {
    async begin(size) {
      const { hostSocket } = await recorder.begin(size);
      const { id, folder } = spec;
      return { id, folder, client: await RecorderClient.connect(hostSocket) };
    },
    abandon: () => recorder.abandon(),
  };
}

function newSessionSpec(places: SessionPlaces, command: RecordedCommand): LaunchSpec {
  const id = newSessionId();
  const folder = path.join(places.sessionsFolder, id);
  const cwd = workingFolder();
  const env = programEnvironment();
  const [name = '', ...args] = command.cmd;
  return {
    ...{ id, folder, cwd, env },
    ...launchCaptures(capturesOf(configuration()), command.agent),
    ...(configuration().keepsFiles && { workspace: workspaceOf(cwd) }),
    snapshotMinutes: configuration().snapshotMinutes,
    recording: path.join(folder, 'session.ahr'),
    isExternal: false,
    cmd: [findProgram(name, env, cwd), ...args],
    brotliQ: configuration().compression,
    ipc: parseIpcChoice('auto'),
    waitForClient: true,
  };
}

/** What the settings say about a new session, whatever it runs. */
function capturesOf(settings: Configuration): Captures {
  const { followsAgents, capturesInput, redacts, allowsUnreviewedHooks } = settings;
  return { followsAgents, capturesInput, redacts, allowsUnreviewedHooks };
}

/** Keeps with a new session what its recorder does not know. Apart, since a short program does not wait for it. */
export async function noteLaunch(folder: string, command: RecordedCommand): Promise<void> {
  await changeSessionNotes(folder, {
    ...{ workspace: workspaceKey(), shownIn: [workspaceKey()] },
    ...(command.agent !== undefined && { agent: command.agent }),
    ...(command.isNamed && { name: command.name }),
  });
}

/** The folder of the file in front, in a workspace of several; else the first; else home. */
function workingFolder(): string {
  const { workspaceFolders = [], getWorkspaceFolder } = vscode.workspace;
  const document = vscode.window.activeTextEditor?.document;
  const active = document && getWorkspaceFolder(document.uri);
  const uri = (active ?? workspaceFolders[0])?.uri;
  return uri?.scheme === 'file' ? uri.fsPath : homedir();
}

/** What a terminal of this editor would give a program. */
export function programEnvironment(): Record<string, string> {
  const platform = { win32: 'windows', darwin: 'osx' }[process.platform as string] ?? 'linux';
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
      // The extension host's own: a program that inherits them takes itself for a part of the editor.
      return (
        value !== undefined && !/^(VSCODE_|ELECTRON_|AH_SESSION_|AH_IPC_|AH_BRANCH_)/.test(name)
      );
    }),
  );
}
