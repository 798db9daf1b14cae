import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { changeSessionNotes, readSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { WORKSPACE_NOW } from '../../snapshots/common/provider.ts';
import { snapshotBefore } from '../../snapshots/common/snapshotBefore.ts';
import { showInformation } from '../messages.ts';
import { isRunning, sessionName } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import type { SnapshotChooser } from './snapshotChooser.ts';
import { showChanges } from './snapshotDiffs.ts';
import type { SnapshotFolders } from './snapshotFolders.ts';
import { snapshotUri } from './snapshotUri.ts';

/** What can be done with the files of a moment, short of changing the workspace. */
export class SnapshotCommands {
  readonly #sessions: SessionChooser;
  readonly #chooser: SnapshotChooser;
  readonly #opened: OpenedSnapshots;
  readonly #folders: SnapshotFolders;

  constructor(
    sessions: SessionChooser,
    chooser: SnapshotChooser,
    opened: OpenedSnapshots,
    folders: SnapshotFolders,
  ) {
    this.#sessions = sessions;
    this.#chooser = chooser;
    this.#opened = opened;
    this.#folders = folders;
  }

  async take(argument: unknown): Promise<void> {
    const session = await this.#sessions.choose(argument, {
      accepts: (each) => isRunning(each) && each.meta.workspace !== undefined,
      placeHolder: vscode.l10n.t('Whose files shall be kept?'),
      none: vscode.l10n.t('No session that keeps files is running.'),
    });
    if (!session) return;
    const label = await vscode.window.showInputBox({
      title: vscode.l10n.t('Take Snapshot'),
      prompt: vscode.l10n.t('What shall it be called?'),
      value: vscode.l10n.t('Snapshot'),
      ignoreFocusOut: true,
    });
    if (label === undefined) return;
    const client = await RecorderClient.connect(session.meta.hostSocket);
    try {
      const line = await client.snapshot({ label, kind: 'manual', trigger: 'manual' });
      if (line?.files.state === 'failed') throw new UserError('no-files', line.files.reason);
    } finally {
      client.dispose();
    }
    const text = vscode.l10n.t('Kept the files of this moment.');
    vscode.window.setStatusBarMessage(text, 5000);
  }

  /** In this window or a new one. Btrfs and ZFS have a folder that every tool can read; git's files are read by the editor. */
  async open(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Which snapshot shall be opened?');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (!chosen) return;
    const { session, line } = chosen;
    const file = await this.#opened.workspace(session.meta.id);
    const place = { sessionId: session.meta.id, snapshotId: line.id, file };
    const { folder } = await this.#opened.tree(place);
    const uri = folder === undefined ? snapshotUri(place) : vscode.Uri.file(folder);
    const here = vscode.l10n.t('Add to This Workspace');
    const there = vscode.l10n.t('Open in New Window');
    const answer = await vscode.window.showQuickPick([here, there], {
      placeHolder: vscode.l10n.t('Where shall “{0}” be opened?', line.label),
      ignoreFocusOut: true,
    });
    if (answer === undefined) return;
    await this.#folders.note({ sessionFolder: session.folder, id: line.id }, uri);
    if (answer === there)
      await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
    if (answer !== here) return;
    const name = `${sessionName(session)} · ${line.label}`;
    const end = vscode.workspace.workspaceFolders?.length ?? 0;
    vscode.workspace.updateWorkspaceFolders(end, 0, { uri, name });
  }

  async compareWithWorkspace(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Which snapshot shall be compared?');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (!chosen) return;
    await showChanges(this.#opened, chosen.session.meta.id, chosen.line, WORKSPACE_NOW);
  }

  /** What the command or tool before this moment changed on disk. */
  async compareWithPrevious(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('The changes before which snapshot?');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (!chosen) return;
    const { session, line } = chosen;
    const { snapshots } = await this.#opened.files(session.meta.id);
    const before = snapshotBefore(snapshots, line.id);
    if (!before) throw new UserError('no-snapshot', vscode.l10n.t('This is the first snapshot.'));
    await showChanges(this.#opened, session.meta.id, before, line);
  }

  async compareTwo(argument: unknown): Promise<void> {
    const first = await this.#chooser.choose(argument, vscode.l10n.t('From which snapshot?'));
    if (!first) return;
    const { session, line } = first;
    const placeHolder = vscode.l10n.t('To which snapshot?');
    const second = await this.#chooser.choose({ meta: session.meta }, placeHolder, line.id);
    if (!second) return;
    const [from, to] = line.id < second.line.id ? [line, second.line] : [second.line, line];
    await showChanges(this.#opened, session.meta.id, from, to);
  }

  /** Pins it, or lets it go again. */
  async pin(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Which snapshot shall be kept for good?');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (!chosen) return;
    const { session, line } = chosen;
    const { pinnedSnapshots = [] } = await readSessionNotes(session.folder);
    const id = String(line.id);
    const isPinned = pinnedSnapshots.includes(id);
    const others = pinnedSnapshots.filter((each) => each !== id);
    await changeSessionNotes(session.folder, {
      pinnedSnapshots: isPinned ? others : [...others, id],
    });
    const text = isPinned
      ? vscode.l10n.t('“{0}” is no longer pinned.', line.label)
      : vscode.l10n.t('“{0}” is pinned: it stays until you let it go.', line.label);
    void showInformation(text);
  }
}
