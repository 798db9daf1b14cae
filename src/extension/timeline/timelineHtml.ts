import * as vscode from 'vscode';
import { newNonce } from '../html.ts';
import { pageDocument } from './pageDocument.ts';

export interface TimelinePage {
  readonly title: string;
  /**
   * File of the recording. The page stores this path, so that its tab can be restored after a
   * reload.
   */
  readonly recording: string;
}

/** Folder of the page's script, style sheet and icons. */
export function timelineResources(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist/webview');
}

/** The HTML of a timeline. */
export function timelineHtml(
  page: TimelinePage,
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
): string {
  const resource = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(timelineResources(extensionUri), name)).toString();
  return pageDocument({
    ...page,
    language: vscode.env.language,
    // VS Code has no bundle for English, because the texts in the source are English.
    texts: vscode.l10n.bundle ?? {},
    nonce: newNonce(),
    source: webview.cspSource,
    script: resource('timeline.js'),
    styleSheet: resource('timeline.css'),
    failure: {
      text: vscode.l10n.t('Can’t load the timeline. The extension may have been updated.'),
      reload: vscode.l10n.t('Reload'),
    },
  });
}
