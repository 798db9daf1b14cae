import * as vscode from 'vscode';
import { NodeAgentProbe } from '../../agents/node/capture/agentProbe.ts';
import { statusSymbol, statusLabel } from '../agents/statusStyle.ts';
import { registerCommands, reportFailure } from '../commandRegistry.ts';
import { COMMANDS, TERMINAL_PROFILES } from '../contributions.ts';
import type { Services } from '../services.ts';
import { isPaused, isRunning } from '../sessions/session.ts';
import { notifyDetached, notifyRemoved } from '../sessions/sessionNotices.ts';
import { AgentPicker } from './agentPicker.ts';
import { FolderPicker } from './folderPicker.ts';
import type { RecordedCommand } from './recordedCommand.ts';
import { RemovalWatcher } from './removalWatcher.ts';
import { TerminalMarks } from './terminalMarks.ts';
import { MissingSnapshotsWarning } from './missingSnapshotsWarning.ts';

/**
 * Registers the commands that record agents in terminals, and shows their status in the terminals'
 * tabs.
 */
export function registerTerminals(
  context: vscode.ExtensionContext,
  services: Services,
): vscode.Disposable {
  const { log, store, live, terminals } = services;
  const picker = new AgentPicker(new NodeAgentProbe(), store);
  const removal = new RemovalWatcher(context.extensionPath, context.extension.id);
  const folders = new FolderPicker(context.workspaceState);
  const pick = async (): Promise<RecordedCommand | undefined> => {
    const command = await picker.pick();
    const folder = command && (await folders.pick());
    return folder && { ...command, ...folder };
  };
  const record = async () => {
    const command = await pick();
    if (command) terminals.record(command);
  };
  const warning = new MissingSnapshotsWarning();
  return vscode.Disposable.from(
    registerCommands({ [COMMANDS.recordAgent]: record }, log),
    registerProfile(pick, services),
    new TerminalMarks(store, live, terminals),
    live.onDidChange(() => showStates(services)),
    store.onDidChange(() => showStates(services)),
    terminals.onDidShow(
      (session) => void reportFailure(COMMANDS.recordAgent, log, () => warning.show(session)),
    ),
    terminals.onDidDetach(
      (session) => void reportFailure(COMMANDS.stopSession, log, () => notifyDetached(session)),
    ),
    removal,
    removal.onDidRemove(() => void notifyRemoved(store.sessions.filter(isRunning))),
  );
}

function registerProfile(
  pick: () => Promise<RecordedCommand | undefined>,
  { log, terminals }: Services,
): vscode.Disposable {
  return vscode.window.registerTerminalProfileProvider(TERMINAL_PROFILES.recordedAgent, {
    provideTerminalProfile: async (token) => {
      const command = await reportFailure(vscode.l10n.t('Recording'), log, pick);
      // The user cancelled or already saw the error; an empty message keeps VS Code from adding its
      // own.
      if (!command || token.isCancellationRequested) throw new Error('');
      return terminals.profile(command);
    },
  });
}

function showStates({ store, live, terminals }: Services): void {
  for (const session of store.sessions.filter(({ meta }) => terminals.shows(meta.id))) {
    if (isPaused(session)) {
      const words = vscode.l10n.t('not recorded');
      terminals.setState(session, { words, symbol: '$(debug-pause)' });
      continue;
    }
    const status = live.status(session.meta.id);
    const words = status && statusLabel(status);
    const symbol = status && statusSymbol(status);
    terminals.setState(session, words && symbol ? { words, symbol } : undefined);
  }
}
