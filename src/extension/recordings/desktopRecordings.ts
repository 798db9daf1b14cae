import * as vscode from 'vscode';
import { RecordingThread } from '../../recording/node/recordingThread.ts';
import type { RecordingEditorOptions } from './recordingEditor.ts';
import { shellLineOf } from '../terminals/recordedCommand.ts';
import { isRunning, sessionName } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { WorkspaceFile } from '../workspaceFile.ts';

/** Opens recordings on Node: a worker thread reads each recording. */
export function desktopRecordings(
  extensionUri: vscode.Uri,
  store: SessionStore,
  log: vscode.LogOutputChannel,
): RecordingEditorOptions {
  const worker = vscode.Uri.joinPath(extensionUri, 'dist/recordingWorker.cjs').fsPath;
  return {
    extensionUri,
    log,
    open(uri) {
      if (uri.scheme === 'file') return new RecordingThread(worker, { file: uri.fsPath });
      const file = new WorkspaceFile(uri);
      return new RecordingThread(worker, { readIfChanged: () => file.readIfChanged() });
    },
    sessionOf(uri) {
      if (uri.scheme !== 'file') return undefined;
      const session = store.sessions.find(({ meta }) => meta.recording === uri.fsPath);
      if (!session) return undefined;
      const { cmd, cwd, exitCode, signal, stoppedByUser } = session.meta;
      return {
        name: sessionName(session),
        command: shellLineOf(cmd) ?? cmd.join(' '),
        folder: cwd,
        isRunning: isRunning(session),
        exitCode,
        signal,
        isStopped: stoppedByUser === true,
      };
    },
    onDidChangeSessions: store.onDidChange,
  };
}
