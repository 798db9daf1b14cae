import * as vscode from 'vscode';
import { registerCommands } from '../commandRegistry.ts';
import { COMMANDS } from '../contributions.ts';
import type { Services } from '../services.ts';
import { exportSession } from './exportSession.ts';
import { askFilter } from './list/filterSessions.ts';
import { switchRecording } from './pauseCommands.ts';
import { scrubText } from './scrubCommand.ts';
import { SessionCommands } from './sessionCommands.ts';
import { notifyInterrupted } from './sessionNotices.ts';
import { keepSessionContext } from './sessionContext.ts';
import { SessionsView } from './list/sessionsView.ts';
import { StatusItem } from './statusItem.ts';
import { UnreadSessions } from './list/unreadSessions.ts';

/** Registers the list of sessions, the status bar item, and the commands about one session. */
export function registerSessions(
  _context: vscode.ExtensionContext,
  services: Services,
): vscode.Disposable {
  const { log, paths, store, live, attention, models, terminals, chooser, deleted } = services;
  const { timelines, review } = services;
  const view = new SessionsView(store, live, attention, models);
  review.setList(view);
  const sessions = new SessionCommands(store, terminals, chooser, deleted);
  return vscode.Disposable.from(
    view,
    keepSessionContext(store),
    new UnreadSessions(store, attention, timelines),
    new StatusItem(store, live, attention),
    store.onDidInterrupt((session) => void notifyInterrupted(session)),
    registerCommands(
      {
        [COMMANDS.attachSession]: (argument) => sessions.attach(argument),
        [COMMANDS.stopSession]: (argument) => sessions.stop(argument),
        [COMMANDS.pauseRecording]: (argument) => switchRecording(argument, false, services),
        [COMMANDS.resumeRecording]: (argument) => switchRecording(argument, true, services),
        [COMMANDS.openRecording]: (argument) => sessions.openRecording(argument),
        [COMMANDS.renameSession]: (argument) => sessions.rename(argument),
        [COMMANDS.revealSession]: (argument) => sessions.reveal(argument),
        [COMMANDS.deleteSession]: (argument) => sessions.delete(argument),
        [COMMANDS.pinSession]: (argument) => sessions.note(argument, { isPinned: true }),
        [COMMANDS.unpinSession]: (argument) => sessions.note(argument, { isPinned: false }),
        [COMMANDS.archiveSession]: (argument) => sessions.note(argument, { isArchived: true }),
        [COMMANDS.unarchiveSession]: (argument) => sessions.note(argument, { isArchived: false }),
        [COMMANDS.markSessionRead]: (argument) => sessions.note(argument, { isUnread: false }),
        [COMMANDS.markSessionUnread]: (argument) => sessions.note(argument, { isUnread: true }),
        [COMMANDS.exportSession]: (argument) =>
          exportSession(argument, chooser, paths.commandLineFile),
        [COMMANDS.scrubText]: (argument) => scrubText(argument, services),
        [COMMANDS.filterSessions]: () => askFilter(view),
        [COMMANDS.clearFilter]: () => Promise.resolve(view.setFilter('')),
        [COMMANDS.refreshSessions]: () => store.refresh(),
      },
      log,
    ),
  );
}
