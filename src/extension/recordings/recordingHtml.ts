import * as vscode from 'vscode';

/** The page of a recording, still empty: its script asks for what it shows, and sets all of it as text. */
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

/** Where the page's script and style sheet are. */
export function recordingResources(extensionUri: vscode.Uri): vscode.Uri[] {
  return [
    vscode.Uri.joinPath(extensionUri, 'media'),
    vscode.Uri.joinPath(extensionUri, 'dist', 'webview'),
  ];
}

/** Unguessable, so that nothing but our own script runs in the page. */
function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
