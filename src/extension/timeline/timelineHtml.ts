import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export interface TimelinePage {
  readonly title: string;
  /** The page keeps it in its state, so that it can be opened again after a reload. */
  readonly recording: string;
}

/** Where the page's script, style sheet and icons are. */
export function timelineResources(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist/webview');
}

/**
 * The document of a timeline: a script that draws all of it. Nothing else may run, and nothing be loaded from elsewhere. The
 * terminal writes its own styles into the page, which is why those are allowed inline.
 */
export function timelineHtml(
  page: TimelinePage,
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
): string {
  // In English there is none: the page's own words are English.
  const words = JSON.stringify(vscode.l10n.bundle ?? {});
  const nonce = randomBytes(16).toString('hex');
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
  <body data-recording="${escapeHtml(page.recording)}" data-words="${escapeHtml(words)}">
    <script nonce="${nonce}" src="${resource('timeline.js')}"></script>
  </body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
