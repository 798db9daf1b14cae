import path from 'node:path';
import * as vscode from 'vscode';
import { Catalogue } from '../sessions/node/catalogue.ts';
import { DeletedSessions } from '../sessions/node/deletedSessions.ts';
import { NodeAgentProbe } from '../agents/node/capture/agentProbe.ts';
import { nowNs, type FollowedPlace } from '../agents/node/capture/followedSession.ts';
import { LiveSessions } from '../agents/node/capture/liveSessions.ts';
import { searchIndexFile } from '../search/node/factIndex.ts';
import { expiredSessions, removeSessions } from '../sessions/node/sessionRetention.ts';
import { SearchThread } from '../search/node/searchThread.ts';
import { AgentPicker } from './terminals/agentPicker.ts';
import { AgentNotices } from './agents/agentNotices.ts';
import { Attention } from './agents/attention.ts';
import { FeedView } from './agents/feedView.ts';
import { ModelSummaries } from './agents/modelSummaries.ts';
import { showStatistics } from './agents/statisticsPanel.ts';
import { statusSymbol, statusWords } from './agents/statusStyle.ts';
import { revealPrompt, showWaiting } from './agents/waitingCommands.ts';
import { BranchFeature } from './branches/branchFeature.ts';
import { registerCommands, reportFailure } from './commandRegistry.ts';
import { switchCapture } from './commands/captureCommands.ts';
import { exportSession } from './commands/exportSession.ts';
import { recordAgent } from './commands/recordAgent.ts';
import { scrubText } from './commands/scrubCommand.ts';
import { reportProblem } from './commands/reportProblem.ts';
import { SessionCommands } from './commands/sessionCommands.ts';
import { askFilter } from './commands/askFilter.ts';
import { configuration } from './configuration.ts';
import { COMMANDS, TERMINAL_PROFILES } from './contributions.ts';
import { desktopRecordings } from './recordings/desktopRecordings.ts';
import { noticeDetached, noticeInterrupted, noticeRemoved } from './notices.ts';
import { registerRecordingEditor } from './recordings/recordingEditor.ts';
import { RemovalWatcher } from './removalWatcher.ts';
import { isRunning, type Session } from './sessions/session.ts';
import { SessionChooser } from './sessions/sessionChooser.ts';
import { SessionsView } from './sessions/sessionsView.ts';
import { SessionStore } from './sessions/sessionStore.ts';
import { SessionTerminals } from './terminals/sessionTerminals.ts';
import { SnapshotFeature } from './snapshots/snapshotFeature.ts';
import { StatusItem } from './sessions/statusItem.ts';
import { TerminalMarks } from './terminals/terminalMarks.ts';
import { openFact } from './timeline/openFact.ts';
import { openTimeline } from './timeline/openTimeline.ts';
import { searchSessions } from './timeline/searchSessions.ts';
import { TimelinePanels } from './timeline/timelinePanels.ts';
import { TranscriptFeature } from './transcript/transcriptFeature.ts';
import { asSessionArgument } from './transcript/transcriptUri.ts';

/** What was deleted in a window that then went away can be brought back no more: its files go after this time. */
const PURGE_AFTER_MS = 10 * 60 * 1000;

let leave: (() => Promise<void>) | undefined;

/** The window reloads, or the extension is switched off: what is recorded goes on. */
export async function deactivate(): Promise<void> {
  await leave?.();
}

/** Puts the parts together. Everything is released with the context's subscriptions. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const log = own(vscode.window.createOutputChannel('AH Time Travel', { log: true }));
  const catalogue = new Catalogue();
  const deleted = new DeletedSessions(catalogue);
  const store = own(new SessionStore(catalogue));
  const storage = context.storageUri ?? context.globalStorageUri;
  const places = {
    hostFile: path.join(context.extensionPath, 'dist/host.cjs'),
    commandLineFile: path.join(context.extensionPath, 'dist/cli.cjs'),
    sessionsFolder: path.join(storage.fsPath, 'sessions'),
  };
  const terminals = own(new SessionTerminals(places, store, log));
  const live = own(new LiveSessions());
  own(store.onDidChange(() => live.follow(store.sessions.filter(isRunning).map(placeOf))));
  own(new TerminalMarks(store, live, terminals));
  const attention = own(new Attention(store, live, terminals));
  const chooser = new SessionChooser(store, terminals);
  const snapshots = own(new SnapshotFeature(catalogue, chooser, log));
  const models = own(new ModelSummaries(log, context.globalState));
  const view = own(new SessionsView(store, live, attention, models, snapshots));
  own(new StatusItem(store, live, attention));
  own(new AgentNotices(store, live, attention));
  const search = own(
    new SearchThread(path.join(context.extensionPath, 'dist/searchWorker.cjs'), searchIndexFile()),
  );
  own(new FeedView(store, live, search));
  own(live.onDidChange(() => showStates(store, live, terminals)));
  own(store.onDidChange(() => showStates(store, live, terminals)));
  const picker = new AgentPicker(new NodeAgentProbe(), store);
  const timelines = own(new TimelinePanels(context.extensionUri, store));
  const sessions = new SessionCommands(store, terminals, chooser, deleted);

  const { extensionUri } = context;
  const transcripts = own(new TranscriptFeature({ extensionUri, store, chooser, timelines }));
  const branches = own(
    new BranchFeature({
      ...{ store, terminals, chooser, snapshots, log },
      showTimeline: (session, at) => timelines.show(session, at),
    }),
  );

  own(
    registerCommands(
      {
        ...snapshots.handlers,
        ...transcripts.handlers,
        ...branches.handlers,
        [COMMANDS.recordAgent]: () => recordAgent(picker, terminals),
        [COMMANDS.attachSession]: (argument) => sessions.attach(argument),
        [COMMANDS.stopSession]: (argument) => sessions.stop(argument),
        [COMMANDS.openTimeline]: (argument) =>
          openTimeline(asSessionArgument(argument), chooser, timelines),
        [COMMANDS.searchSessions]: () => searchSessions(store, timelines, search),
        [COMMANDS.openFact]: (argument) => openFact(argument, store, timelines),
        [COMMANDS.showStatistics]: (argument) => showStatistics(argument, chooser),
        [COMMANDS.scrubText]: (argument) =>
          scrubText(argument, {
            ...{ catalogue, chooser, search, models, terminals, timelines },
            closeTranscripts: (id) => transcripts.close(id),
          }),
        [COMMANDS.pauseCapture]: (argument) => switchCapture(argument, false, { chooser, store }),
        [COMMANDS.resumeCapture]: (argument) => switchCapture(argument, true, { chooser, store }),
        [COMMANDS.openRecording]: (argument) => sessions.openRecording(argument),
        [COMMANDS.renameSession]: (argument) => sessions.rename(argument),
        [COMMANDS.revealSession]: (argument) => sessions.reveal(argument),
        [COMMANDS.exportSession]: (argument) =>
          exportSession(argument, chooser, places.commandLineFile),
        [COMMANDS.deleteSession]: (argument) => sessions.delete(argument),
        [COMMANDS.showWaiting]: () => showWaiting(attention),
        [COMMANDS.revealPrompt]: (argument) => revealPrompt(argument, { chooser, terminals, live }),
        [COMMANDS.filterSessions]: () => askFilter(view),
        [COMMANDS.clearFilter]: () => Promise.resolve(view.setFilter('')),
        [COMMANDS.refreshSessions]: () => store.refresh(),
        [COMMANDS.showLog]: () => Promise.resolve(log.show()),
        [COMMANDS.reportProblem]: () => reportProblem(context, store),
      },
      log,
    ),
  );
  own(
    vscode.window.registerTerminalProfileProvider(TERMINAL_PROFILES.recordedAgent, {
      provideTerminalProfile: async (token) => {
        const command = await reportFailure(vscode.l10n.t('Recording'), log, () => picker.pick());
        // Who thought better of it, or was told why not, is not to be told that there is no profile: the editor shows what
        // it catches, and an error without words is none.
        if (!command || token.isCancellationRequested) throw new Error('');
        return terminals.profile(command);
      },
    }),
  );
  own(
    registerRecordingEditor(desktopRecordings(extensionUri, store, log), (panel, file, title) =>
      timelines.connect(panel, file, title),
    ),
  );
  own(
    vscode.window.registerUriHandler({
      handleUri: (uri) =>
        void reportFailure(vscode.l10n.t('Opening a link'), log, async () => {
          await store.refresh();
          timelines.showLink(uri);
        }),
    }),
  );
  own(terminals.onDidDetach((session) => void noticeDetached(session)));
  own(store.onDidInterrupt((session) => void noticeInterrupted(session)));
  own(
    own(new RemovalWatcher(context.extensionPath, context.extension.id)).onDidRemove(
      () => void noticeRemoved(store.sessions.filter(isRunning)),
    ),
  );
  leave = () => terminals.leave();
  void reportFailure(vscode.l10n.t('Activation'), log, async () => {
    // Somebody has just asked for it, and waits.
    const starting = branches.starter.look();
    await store.refresh();
    if (configuration().reattach) terminals.reattach();
    await starting;
    await deleted.purgeOlderThan(PURGE_AFTER_MS);
    const { keepDays } = configuration();
    const expired = keepDays > 0 ? await expiredSessions(catalogue, keepDays, nowNs()) : [];
    if (expired.length > 0) {
      log.info(`Removing ${expired.length} sessions that ended more than ${keepDays} days ago.`);
      await removeSessions(expired, deleted);
      await store.refresh();
    }
  });
}

function placeOf({ meta, folder }: Session): FollowedPlace {
  return { id: meta.id, folder, recording: meta.recording };
}

/** The tabs of terminals say what their agents do. */
function showStates(store: SessionStore, live: LiveSessions, terminals: SessionTerminals): void {
  for (const session of store.sessions.filter(({ meta }) => terminals.shows(meta.id))) {
    const status = live.status(session.meta.id);
    const words = status && statusWords(status);
    const symbol = status && statusSymbol(status);
    terminals.setState(session, words && symbol ? { words, symbol } : undefined);
  }
}
