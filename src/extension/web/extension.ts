import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { yieldEvery } from '../../platform/shared/yieldEvery.ts';
import { RecordingContent } from '../../terminal/lines/recordingContent.ts';
import { registerReadOnly } from '../readOnly/registerReadOnly.ts';
import { registerRecordingEditor } from '../recordings/recordingEditor.ts';
import { WorkspaceFile } from '../workspaceFile.ts';
import { BrotliModule } from './brotliModule.ts';
import { WasmBrotli } from './wasmBrotli.ts';
import { WebFile } from './webFile.ts';

/** Longest time that work on a recording may block the extension host before it yields. */
const WORK_MS = 12;

/** Activates the extension in a browser, where it only opens recordings. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, subscriptions } = context;
  const log = vscode.window.createOutputChannel('AH Time Travel', { log: true });
  const noSessions = new Emitter<void>();
  const brotli = new BrotliModule(extensionUri);
  const breathe = yieldEvery(WORK_MS);
  const decompressor = new WasmBrotli({ newStream: () => brotli.newStream(), breathe });
  subscriptions.push(
    log,
    noSessions,
    registerReadOnly(log),
    registerRecordingEditor({
      extensionUri,
      log,
      onDidChangeSessions: noSessions.event,
      open: (uri) =>
        new RecordingContent({
          source: new WebFile(new WorkspaceFile(uri)),
          decompressor,
          pause: breathe,
        }),
      sessionOf: () => undefined,
    }),
  );
}
