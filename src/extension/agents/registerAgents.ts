import * as vscode from 'vscode';
import type { FollowedPlace } from '../../agents/node/capture/followedSession.ts';
import { registerCommands } from '../commandRegistry.ts';
import { COMMANDS } from '../contributions.ts';
import type { Services } from '../services.ts';
import { isRunning, type Session } from '../sessions/session.ts';
import { AgentNotices } from './agentNotices.ts';
import { switchCapture } from './captureCommands.ts';
import { FeedView } from './feedView.ts';
import { showStatistics } from './statisticsPanel.ts';
import { revealPrompt, showWaiting } from './waitingCommands.ts';

/**
 * Registers notifications, the activity list, statistics, and the commands that pause and resume
 * capture.
 */
export function registerAgents(
  _context: vscode.ExtensionContext,
  services: Services,
): vscode.Disposable {
  const { log, store, live, attention, chooser, search } = services;
  return vscode.Disposable.from(
    store.onDidChange(() => live.follow(store.sessions.filter(isRunning).map(placeOf))),
    new AgentNotices(store, live, attention),
    new FeedView(store, live, search),
    registerCommands(
      {
        [COMMANDS.showWaiting]: () => showWaiting(attention),
        [COMMANDS.revealPrompt]: (argument) => revealPrompt(argument, services),
        [COMMANDS.showStatistics]: (argument) => showStatistics(argument, chooser),
        [COMMANDS.pauseCapture]: (argument) => switchCapture(argument, false, services),
        [COMMANDS.resumeCapture]: (argument) => switchCapture(argument, true, services),
      },
      log,
    ),
  );
}

function placeOf({ meta, folder }: Session): FollowedPlace {
  return { id: meta.id, folder, recording: meta.recording };
}
