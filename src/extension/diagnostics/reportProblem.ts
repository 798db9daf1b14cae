import { readFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import * as vscode from 'vscode';
import { readHostLog } from '../../sessions/node/hostLogFile.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { showInformation } from '../messages.ts';
import { redactReport } from './redactReport.ts';

const MAX_LOG_CHARACTERS = 20_000;
/** Limit for each session; only sessions with bugs or write errors have a recorder log. */
const MAX_RECORDER_LOG_CHARACTERS = 2000;

/** Opens a redacted problem report with environment and logs, for the user to complete and send. */
export async function reportProblem(
  context: vscode.ExtensionContext,
  store: SessionStore,
): Promise<void> {
  const { version } = context.extension.packageJSON as { version: string };
  const states = store.sessions.map(({ meta }) => meta.state);
  // The log file may not exist yet.
  const log = await readFile(logFile(context), 'utf8').catch(() => '');
  const report = [
    '# Problem report: AH Time Travel',
    '',
    'What happened, and what did you expect?',
    '',
    '## Environment',
    '',
    `- extension ${version}, editor ${vscode.version} (${vscode.env.appHost}, remote: ${vscode.env.remoteName ? 'yes' : 'no'})`,
    `- ${process.platform} ${process.arch}, Node ${process.version}`,
    `- sessions: ${states.length}, of them running ${count(states, 'running')}, interrupted ${count(states, 'interrupted')}`,
    '',
    ...(await recorderLogs(store)),
    '## Log',
    '',
    '```',
    log.slice(-MAX_LOG_CHARACTERS),
    '```',
    '',
  ].join('\n');
  const names = { home: homedir(), user: userInfo().username };
  const document = await vscode.workspace.openTextDocument({
    language: 'markdown',
    content: redactReport(report, names),
  });
  await vscode.window.showTextDocument(document);
  void offerToSend(document, trackerOf(context));
}

/** The issue tracker that package.json names, if any. */
function trackerOf({ extension }: vscode.ExtensionContext): vscode.Uri | undefined {
  const { bugs } = extension.packageJSON as { bugs?: { url?: string } };
  return bugs?.url === undefined ? undefined : vscode.Uri.parse(bugs.url);
}

/** Offers to copy the report, which the user has on screen: nothing is sent automatically. */
async function offerToSend(
  document: vscode.TextDocument,
  tracker: vscode.Uri | undefined,
): Promise<void> {
  const copy = tracker
    ? vscode.l10n.t('Copy and Open the Issue Tracker')
    : vscode.l10n.t('Copy Report');
  const text = tracker
    ? vscode.l10n.t('Describe the problem in the first lines, then send the report.')
    : vscode.l10n.t(
        'Describe the problem in the first lines, then send the report to the person who gave you the extension: this build has no issue tracker.',
      );
  if ((await showInformation(text, copy)) !== copy) return;
  await vscode.env.clipboard.writeText(document.getText());
  if (tracker) await vscode.env.openExternal(tracker);
}

/** The logs of recorders that have one, as a section of the report. */
async function recorderLogs({ sessions }: SessionStore): Promise<string[]> {
  const logs = await Promise.all(
    sessions.map(async ({ folder, meta }) => {
      const text = await readHostLog(folder, MAX_RECORDER_LOG_CHARACTERS);
      return text === '' ? [] : [`${meta.id}:`, text];
    }),
  );
  const lines = logs.flat();
  return lines.length === 0 ? [] : ['## Recorders', '', '```', ...lines, '```', ''];
}

function count(states: readonly string[], wanted: string): number {
  return states.filter((state) => state === wanted).length;
}

/** VS Code names the log file after the output channel. */
function logFile(context: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(context.logUri, 'AH Time Travel.log').fsPath;
}
