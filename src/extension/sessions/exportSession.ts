import { spawn } from 'node:child_process';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { checkScrubFinished } from '../../sessions/node/unfinishedScrubs.ts';
import { showInformation } from '../messages.ts';
import type { Session } from './session.ts';
import { sessionName } from './session.ts';
import type { SessionChooser } from './sessionChooser.ts';

type Format = 'md' | 'json' | 'csv' | 'ahr';

/** Handles `AH: Export Session…`: saves a redacted text, or the recording itself. */
export async function exportSession(
  argument: unknown,
  chooser: SessionChooser,
  commandLineFile: string,
): Promise<void> {
  const session = await chooser.choose(argument, {
    accepts: () => true,
    placeHolder: vscode.l10n.t('Select a session to export'),
    none: vscode.l10n.t('No sessions yet.'),
  });
  if (session) checkScrubFinished(session.meta.id);
  const format = session && (await askFormat());
  const target = format && (await askTarget(session, format));
  if (!target) return;
  const title = vscode.l10n.t('Exporting “{0}”', sessionName(session));
  const location = vscode.ProgressLocation.Notification;
  const isDone = await vscode.window.withProgress(
    { location, title, cancellable: true },
    (_, token) => write({ session, format, target: target.fsPath, commandLineFile }, token),
  );
  if (isDone) void offerToOpen(target);
}

async function askFormat(): Promise<Format | undefined> {
  const choices: (vscode.QuickPickItem & { readonly format: Format })[] = [
    {
      format: 'md',
      label: 'Markdown',
      description: vscode.l10n.t(
        'prompts, answers, tool calls and diffs, or the commands of a shell; without recognizable secrets',
      ),
    },
    {
      format: 'json',
      label: 'JSON',
      description: vscode.l10n.t('final lines and snapshots, without recognizable secrets'),
    },
    { format: 'csv', label: 'CSV', description: vscode.l10n.t('same content as JSON, as a table') },
    {
      format: 'ahr',
      label: vscode.l10n.t('Recording (.ahr)'),
      description: vscode.l10n.t('all terminal output, including secrets'),
    },
  ];
  const placeHolder = vscode.l10n.t('Export as');
  return (await vscode.window.showQuickPick(choices, { placeHolder }))?.format;
}

async function askTarget(session: Session, format: Format): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const name = sessionName(session).replace(/[^\p{L}\p{N}._ -]+/gu, '-');
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${name.slice(0, 80).trim() || 'session'}.${format}`),
    filters: { [format.toUpperCase()]: [format] },
  });
  if (target && target.scheme !== 'file') {
    throw new UserError(
      'not-a-file',
      vscode.l10n.t('Can’t export to this location. Choose a folder on this machine.'),
    );
  }
  return target;
}

interface Export {
  readonly session: Session;
  readonly format: Format;
  readonly target: string;
  readonly commandLineFile: string;
}

/** Writes the whole file or nothing. @returns false if the user cancelled */
async function write(request: Export, token: vscode.CancellationToken): Promise<boolean> {
  const { recording } = request.session.meta;
  const draft = `${request.target}.part`;
  try {
    if (request.format === 'ahr') await copyFile(recording, draft);
    else await writeText({ ...request, target: draft }, token);
    if (token.isCancellationRequested) return false;
    await rename(draft, request.target);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Runs the CLI in its own process, to keep the extension host responsive. */
async function writeText(
  { session, format, target, commandLineFile }: Export,
  token: vscode.CancellationToken,
): Promise<void> {
  const file = await open(target, 'w', 0o600);
  try {
    const { id, recording } = session.meta;
    const command =
      format === 'md'
        ? ['transcript', '--session', id]
        : ['branch-points', '--format', format, '--session', recording];
    const child = spawn(process.execPath, [commandLineFile, 'agent', ...command, '--redact'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', file.fd, 'pipe'],
    });
    const cancelling = token.onCancellationRequested(() => child.kill());
    let message = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (message += text));
    const exitCode = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    cancelling.dispose();
    if (exitCode !== 0 && !token.isCancellationRequested) {
      throw new UserError('export-failed', message.trim() || `exit code ${String(exitCode)}`);
    }
  } finally {
    await file.close();
  }
}

async function offerToOpen(target: vscode.Uri): Promise<void> {
  const show = vscode.l10n.t('Open');
  const text = vscode.l10n.t('Exported to {0}', path.basename(target.fsPath));
  if ((await showInformation(text, show)) === show) {
    await vscode.commands.executeCommand('vscode.open', target);
  }
}
