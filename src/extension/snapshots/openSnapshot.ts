import path from 'node:path';
import * as vscode from 'vscode';
import { plainText } from '../../base/plainText.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { setContextKey } from '../contextKeys.ts';
import { CONTEXT_KEYS } from '../contributions.ts';
import { sessionName } from '../sessions/session.ts';
import { clockText, dateOf, daysBetween } from '../sessions/timeText.ts';
import { additionText } from '../workspaceAddition.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import type { ChosenSnapshot } from './snapshotChooser.ts';
import type { SnapshotFolders } from './snapshotFolders.ts';
import { snapshotRootUri } from './snapshotUri.ts';
import { titledLink } from './titledLink.ts';

const MAX_TITLE = 120;

/** Opens a snapshot as a read-only folder, in a new window or, if the user chooses, in this one. */
export async function openSnapshotFolder(
  { session, line }: ChosenSnapshot,
  opened: OpenedSnapshots,
  folders: SnapshotFolders,
): Promise<void> {
  const key = { sessionId: session.meta.id, snapshotId: line.id };
  const workspace = await opened.workspace(session.meta.id);
  const title = windowTitle(path.basename(workspace), line);
  const { folder } = await opened.tree(key);
  const inNewWindow = { label: vscode.l10n.t('Open in New Window'), detail: title };
  const inThisWindow = {
    label: vscode.l10n.t('Add to This Workspace'),
    detail: additionText(sessionName(session)),
  };
  const answer = await vscode.window.showQuickPick([inNewWindow, inThisWindow], {
    placeHolder: vscode.l10n.t('Where do you want to open “{0}”?', line.label),
    ignoreFocusOut: true,
  });
  if (!answer) return;
  const uri =
    folder === undefined
      ? snapshotRootUri(key, title)
      : vscode.Uri.file(await titledLink(session.folder, line.id, { folder, title }));
  await folders.note({ sessionFolder: session.folder, id: line.id }, uri);
  await setContextKey(CONTEXT_KEYS.hasOpenedSnapshot, true);
  if (answer === inNewWindow) {
    await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
    return;
  }
  const name = `${sessionName(session)} · ${line.label}`;
  const end = vscode.workspace.workspaceFolders?.length ?? 0;
  vscode.workspace.updateWorkspaceFolders(end, 0, { uri, name });
}

/** Title such as `shop-api @ 08:00 · read-only`, with the day if the snapshot is not from today. */
function windowTitle(project: string, { tsNs }: Pick<SnapshotLine, 'tsNs'>): string {
  const { language } = vscode.env;
  const date = dateOf(tsNs);
  const day = date.toLocaleDateString(language, { day: 'numeric', month: 'short' });
  const clock = clockText(date, language);
  const when = daysBetween(date, new Date()) === 0 ? clock : `${day} ${clock}`;
  const title = vscode.l10n.t('{0} @ {1} · read-only', project, when);
  // The title becomes a segment of a path, so it must not contain slashes.
  return plainText(title, MAX_TITLE).replaceAll('/', '-');
}
