import path from 'node:path';
import * as vscode from 'vscode';
import { LiveSessions } from '../agents/node/capture/liveSessions.ts';
import { searchIndexFile } from '../search/node/factIndex.ts';
import { SearchThread } from '../search/node/searchThread.ts';
import { Catalogue } from '../sessions/node/catalogue.ts';
import { DeletedSessions } from '../sessions/node/deletedSessions.ts';
import { Attention } from './agents/attention.ts';
import { ModelSummaries } from './agents/modelSummaries.ts';
import { ReviewView } from './review/reviewView.ts';
import { SessionChooser } from './sessions/sessionChooser.ts';
import { SessionStore } from './sessions/sessionStore.ts';
import { OpenedSnapshots } from './snapshots/openedSnapshots.ts';
import { SnapshotChooser } from './snapshots/snapshotChooser.ts';
import { WorkspaceComparisons } from './snapshots/workspaceComparisons.ts';
import type { SessionPaths } from './terminals/launchSession.ts';
import { SessionTerminals } from './terminals/sessionTerminals.ts';
import { TimelinePanels } from './timeline/timelinePanels.ts';

/** Objects that the features of a window share. */
export interface Services {
  readonly log: vscode.LogOutputChannel;
  readonly paths: SessionPaths;
  readonly catalogue: Catalogue;
  readonly deleted: DeletedSessions;
  readonly store: SessionStore;
  readonly live: LiveSessions;
  readonly terminals: SessionTerminals;
  readonly attention: Attention;
  readonly chooser: SessionChooser;
  readonly models: ModelSummaries;
  readonly search: SearchThread;
  readonly timelines: TimelinePanels;
  readonly openedSnapshots: OpenedSnapshots;
  readonly comparisons: WorkspaceComparisons;
  readonly snapshotChooser: SnapshotChooser;
  readonly review: ReviewView;
}

/** Creates the services; the context disposes them. */
export function createServices(context: vscode.ExtensionContext): Services {
  const own = <T extends vscode.Disposable>(service: T): T => {
    context.subscriptions.push(service);
    return service;
  };
  const inDist = (file: string) => path.join(context.extensionPath, 'dist', file);
  const storage = context.storageUri ?? context.globalStorageUri;
  const paths = {
    hostFile: inDist('host.cjs'),
    commandLineFile: inDist('cli.cjs'),
    sessionsFolder: path.join(storage.fsPath, 'sessions'),
  };
  const log = own(vscode.window.createOutputChannel('AH Time Travel', { log: true }));
  const catalogue = new Catalogue();
  const store = own(new SessionStore(catalogue));
  const terminals = own(new SessionTerminals(paths, store, log, context.workspaceState));
  const live = own(new LiveSessions());
  const chooser = new SessionChooser(store, terminals);
  const openedSnapshots = own(new OpenedSnapshots(catalogue));
  return {
    log,
    paths,
    catalogue,
    deleted: new DeletedSessions(catalogue),
    store,
    live,
    terminals,
    attention: own(new Attention(store, live, terminals)),
    chooser,
    models: own(new ModelSummaries(log, context.globalState)),
    search: own(new SearchThread(inDist('searchWorker.cjs'), searchIndexFile())),
    timelines: own(
      new TimelinePanels(
        context.extensionUri,
        store,
        openedSnapshots,
        context.workspaceState,
        live,
      ),
    ),
    openedSnapshots,
    comparisons: own(new WorkspaceComparisons(openedSnapshots, store)),
    snapshotChooser: new SnapshotChooser(chooser, openedSnapshots),
    review: own(new ReviewView()),
  };
}
