import * as vscode from 'vscode';
import { escapeHtml, newNonce } from '../html.ts';

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

/**
 * The HTML of a timeline. Its content security policy allows only our own script and files; inline
 * styles are allowed because xterm.js adds a style element.
 */
export function timelineHtml(
  page: TimelinePage,
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
): string {
  // VS Code has no bundle for English, because the texts in the source are English.
  const texts = JSON.stringify(vscode.l10n.bundle ?? {});
  const nonce = newNonce();
  const resource = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(timelineResources(extensionUri), name)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'unsafe-inline'`,
    `font-src ${webview.cspSource}`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <title>${escapeHtml(page.title)}</title>
    <link rel="stylesheet" href="${resource('timeline.css')}" />
  </head>
  <body data-recording="${escapeHtml(page.recording)}" data-texts="${escapeHtml(texts)}">
    <script nonce="${nonce}" src="${resource('timeline.js')}"></script>
  </body>
</html>`;
}
