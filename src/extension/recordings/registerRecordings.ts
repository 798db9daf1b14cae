import type * as vscode from 'vscode';
import type { Services } from '../services.ts';
import { desktopRecordings } from './desktopRecordings.ts';
import { registerRecordingEditor } from './recordingEditor.ts';

/** Opens `*.ahr` files: local ones as timelines, others as pages of final lines. */
export function registerRecordings(
  { extensionUri }: Pick<vscode.ExtensionContext, 'extensionUri'>,
  { log, store, timelines }: Pick<Services, 'log' | 'store' | 'timelines'>,
): vscode.Disposable {
  return registerRecordingEditor(
    desktopRecordings(extensionUri, store, log),
    (panel, file, title) => timelines.connect(panel, file, title),
  );
}
