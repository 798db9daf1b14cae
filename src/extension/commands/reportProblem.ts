import { readFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import * as vscode from 'vscode';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { redactReport } from './redactReport.ts';

const MAX_LOG_CHARACTERS = 20_000;

/** Opens a text, ready to be sent, with what helps to find a fault, and without what is nobody's business. */
export async function reportProblem(
  context: vscode.ExtensionContext,
  store: SessionStore,
): Promise<void> {
  const { version } = context.extension.packageJSON as { version: string };
  const states = store.sessions.map(({ meta }) => meta.state);
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
}

function count(states: readonly string[], wanted: string): number {
  return states.filter((state) => state === wanted).length;
}

/** The editor names the file after the output channel. */
function logFile(context: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(context.logUri, 'AH Time Travel.log').fsPath;
}
