import * as vscode from 'vscode';
import { newNonce } from '../html.ts';

/** The empty page of a recording. Its script requests the content and inserts it as text. */
export function recordingHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const address = (...path: string[]) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const nonce = newNonce();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${vscode.env.language.replace(/[^\w-]/g, '')}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${address('media', 'recording.css')}" />
  </head>
  <body>
    <main>
      <header id="header"></header>
      <p id="partial" hidden><span id="partial-text"></span> <button id="show-all"></button></p>
      <p id="empty" hidden></p>
      <div id="lines" class="lines" role="list" tabindex="0" hidden></div>
    </main>
    <script nonce="${nonce}" src="${address('dist', 'webview', 'recordingPage.js')}"></script>
  </body>
</html>`;
}

/** Folders of the page's script and style sheet. */
export function recordingResources(extensionUri: vscode.Uri): vscode.Uri[] {
  return [
    vscode.Uri.joinPath(extensionUri, 'media'),
    vscode.Uri.joinPath(extensionUri, 'dist', 'webview'),
  ];
}
