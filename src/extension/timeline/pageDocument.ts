import type { TextBundle } from '../../base/textBundle.ts';
import { escapeHtml } from '../html.ts';

/** Reloads the window: after an update, only the new extension knows where its files are. */
export const RELOAD_COMMAND = 'workbench.action.reloadWindow';

export interface PageDocument {
  readonly title: string;
  readonly recording: string;
  readonly language: string;
  readonly texts: TextBundle;
  readonly nonce: string;
  /** Where style sheets and fonts may come from. */
  readonly source: string;
  readonly script: string;
  readonly styleSheet: string;
  /** What the page shows when its script or style sheet can't be loaded. */
  readonly failure: { readonly text: string; readonly reload: string };
}

/** Inline, because the page's script and style sheet may both be missing. */
const FAILURE_STYLE = `
      .load-failure { display: none; padding: 16px; font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground); }
      .has-failed .load-failure { display: block; }
      .load-failure a { display: inline-block; margin-left: 8px; padding: 3px 10px; text-decoration: none; border-radius: 4px; border: 1px solid var(--vscode-button-border, transparent); color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
    `;
/** Errors of elements do not bubble, so this listens in the capture phase. */
const FAILURE_SCRIPT = `addEventListener('error', ({ target }) => { if (target instanceof Element) document.documentElement.classList.add('has-failed'); }, true);`;

/**
 * The HTML of a timeline. Its content security policy allows only our own scripts and files; inline
 * styles are allowed because xterm.js adds a style element.
 */
export function pageDocument(page: PageDocument): string {
  const { nonce, source, failure } = page;
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${source} 'unsafe-inline'`,
    `font-src ${source}`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(page.language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <title>${escapeHtml(page.title)}</title>
    <style>${FAILURE_STYLE}</style>
    <script nonce="${nonce}">${FAILURE_SCRIPT}</script>
    <link rel="stylesheet" href="${page.styleSheet}" />
  </head>
  <body data-recording="${escapeHtml(page.recording)}" data-texts="${escapeHtml(JSON.stringify(page.texts))}">
    <div class="load-failure" role="alert">${escapeHtml(failure.text)}<a href="command:${RELOAD_COMMAND}" role="button">${escapeHtml(failure.reload)}</a></div>
    <script nonce="${nonce}" src="${page.script}"></script>
  </body>
</html>`;
}
