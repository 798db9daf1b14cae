import * as vscode from 'vscode';
import { oneLine } from '../../agents/common/bounded.ts';
import { redactSecrets, secretsIn } from '../../redaction/redact.ts';
import {
  statisticsOf,
  type SessionStatistics,
  type TurnStatistics,
} from '../../agents/common/turns/statistics.ts';
import { UserError } from '../../base/errors.ts';
import { readEvents } from '../../sessions/node/eventsFile.ts';
import { PANELS } from '../contributions.ts';
import { sessionName, type Session } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import { durationText } from '../sessions/timeText.ts';
import { escapeHtml, newNonce } from '../html.ts';
import { barChart, type Bar } from './barChart.ts';

/** The chart shows at most this many turns, because more bars would be too thin. */
const MAX_BARS = 60;

/** Handles `AH: Show Session Statistics`: a page of charts without scripts. */
export async function showStatistics(argument: unknown, chooser: SessionChooser): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: () => true,
    placeHolder: vscode.l10n.t('Select a session to show its statistics'),
    none: vscode.l10n.t('No sessions yet.'),
  });
  if (!session) return;
  const statistics = statisticsOf(await readEvents(session.folder));
  if (statistics.turns.length === 0) {
    const text = vscode.l10n.t(
      'Can’t show statistics: no agent activity was captured in this session.',
    );
    throw new UserError('no-events', text);
  }
  const title = vscode.l10n.t('{0} · Statistics', sessionName(session));
  const panel = vscode.window.createWebviewPanel(
    PANELS.statistics,
    title,
    vscode.ViewColumn.Active,
    { enableScripts: false, localResourceRoots: [] },
  );
  panel.webview.html = statisticsHtml(session, title, statistics);
}

function statisticsHtml(session: Session, title: string, statistics: SessionStatistics): string {
  const nonce = newNonce();
  const { turns, medianApprovalMs } = statistics;
  const number = (count: number) => count.toLocaleString(vscode.env.language);
  const facts: [string, string][] = [
    [vscode.l10n.t('Turns'), number(turns.length)],
    [vscode.l10n.t('Working time'), fineText(statistics.workMs)],
    [vscode.l10n.t('Waiting for approval'), fineText(statistics.approvalWaitMs)],
    [vscode.l10n.t('Waiting time between turns'), fineText(statistics.idleMs)],
    [vscode.l10n.t('Approvals answered'), number(statistics.approvals)],
    [
      vscode.l10n.t('Time to answer approvals (median)'),
      medianApprovalMs === undefined ? '–' : fineText(medianApprovalMs),
    ],
    [vscode.l10n.t('Test-and-fix loops'), number(statistics.testFixLoops)],
    [vscode.l10n.t('Tokens'), statistics.tokens === 0 ? '–' : number(statistics.tokens)],
  ];
  const cells = facts.map(
    ([label, value]) => `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'" />
    <title>${escapeHtml(title)}</title>
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <h1>${escapeHtml(sessionName(session))}</h1>
    <dl>${cells.join('')}</dl>
    <h2>${escapeHtml(vscode.l10n.t('By turn'))}</h2>
    <main>${charts(statistics)}</main>
  </body>
</html>`;
}

function charts({ turns }: SessionStatistics): string {
  const shown = turns.slice(-MAX_BARS);
  const first = turns.length - shown.length + 1;
  const secrets = secretsIn(process.env);
  const name = (prompt: string) => oneLine(redactSecrets(prompt, secrets));
  const number = (count: number) => count.toLocaleString(vscode.env.language);
  const charts: [string, (turn: TurnStatistics) => number, (value: number) => string][] = [
    [vscode.l10n.t('Working time of each turn'), (turn) => turn.workMs ?? 0, fineText],
    [vscode.l10n.t('Waiting for approval in each turn'), (turn) => turn.approvalWaitMs, fineText],
    [vscode.l10n.t('Waiting time before each prompt'), (turn) => turn.idleBeforeMs, fineText],
    [vscode.l10n.t('Test-and-fix loops'), (turn) => turn.testFixLoops, number],
    [vscode.l10n.t('Tool calls'), (turn) => turn.tools, number],
    [vscode.l10n.t('Tokens'), (turn) => turn.tokens, number],
  ];
  const drawn = charts.map(([title, pick, format]) => {
    const bars = shown.map((turn): Bar => {
      const text = format(pick(turn));
      return { value: pick(turn), label: `${name(turn.prompt)}: ${text}`, text };
    });
    return barChart(title, bars, first);
  });
  return drawn.join('\n');
}

/** Durations under ten seconds have one decimal place. */
function fineText(milliseconds: number): string {
  if (milliseconds < 50 || milliseconds >= 10_000) return durationText(milliseconds);
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${(milliseconds / 1000).toLocaleString(vscode.env.language, digits)} s`;
}

const STYLE = `
body { padding: 16px 24px; max-width: 1000px; }
h1 { font-size: 1.4em; font-weight: 600; }
h2 { font-size: 1.1em; font-weight: 600; margin: 24px 0 12px; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); gap: 16px 24px; margin: 0; }
dt { color: var(--vscode-descriptionForeground); font-size: 0.9em; }
dd { margin: 2px 0 0; font-size: 1.3em; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 20px 32px; }
figure { margin: 0; }
figcaption { margin-bottom: 4px; }
svg { display: block; width: 100%; max-width: 460px; overflow: visible; }
rect { fill: var(--vscode-charts-blue, var(--vscode-foreground)); }
line { stroke: var(--vscode-widget-border, var(--vscode-contrastBorder, gray)); stroke-width: 1; }
text { fill: var(--vscode-descriptionForeground); font-size: 11px; }
text.value { fill: var(--vscode-foreground); }
`;
