import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { changeSessionNotes, readSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { WORKSPACE_NOW } from '../../snapshots/common/provider.ts';
import { snapshotBefore } from '../../snapshots/common/snapshotBefore.ts';
import { parseMomentArgument } from '../branches/momentArgument.ts';
import { showInformation } from '../messages.ts';
import { checkNotPaused } from '../sessions/pauseCommands.ts';
import { isRunning } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import { openSnapshotFolder } from './openSnapshot.ts';
import type { SnapshotChooser } from './snapshotChooser.ts';
import { showChanges } from './snapshotDiffs.ts';
import type { SnapshotFolders } from './snapshotFolders.ts';

/** Commands for snapshots that do not change the workspace. */
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
      placeHolder: vscode.l10n.t('Select a session to take a snapshot of'),
      none: vscode.l10n.t('No session with snapshots is running.'),
    });
    if (!session) return;
    checkNotPaused(session);
    const label = await vscode.window.showInputBox({
      title: vscode.l10n.t('Take Snapshot'),
      prompt: vscode.l10n.t('Name of the snapshot'),
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
    const text = vscode.l10n.t('Snapshot taken.');
    vscode.window.setStatusBarMessage(text, 5000);
  }

  /**
   * Opens a snapshot in a new window or in this one: as a folder on disk (Btrfs, ZFS) or through
   * our file system (git).
   */
  async open(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Select a snapshot to open');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (chosen) await openSnapshotFolder(chosen, this.#opened, this.#folders);
  }

  async compareWithWorkspace(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Select a snapshot to compare with the workspace');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (!chosen) return;
    await showChanges(this.#opened, chosen.session.meta.id, chosen.line, WORKSPACE_NOW);
  }

  /** Compares a snapshot with the previous one, or with the one that the argument names. */
  async compareWithPrevious(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Select a snapshot to compare with the previous one');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (!chosen) return;
    const { session, line } = chosen;
    const { snapshots } = await this.#opened.files(session.meta.id);
    const { fromSnapshotId } = parseMomentArgument(argument);
    const before =
      snapshots.find(({ id }) => id === fromSnapshotId) ?? snapshotBefore(snapshots, line.id);
    if (!before) throw new UserError('no-snapshot', vscode.l10n.t('This is the first snapshot.'));
    await showChanges(this.#opened, session.meta.id, before, line);
  }

  async compareTwo(argument: unknown): Promise<void> {
    const first = await this.#chooser.choose(
      argument,
      vscode.l10n.t('Select the first snapshot to compare'),
    );
    if (!first) return;
    const { session, line } = first;
    const placeHolder = vscode.l10n.t('Select the second snapshot to compare');
    const second = await this.#chooser.choose({ meta: session.meta }, placeHolder, line.id);
    if (!second) return;
    const [from, to] = line.id < second.line.id ? [line, second.line] : [second.line, line];
    await showChanges(this.#opened, session.meta.id, from, to);
  }

  /** Pins a snapshot, or unpins it. */
  async pin(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Select a snapshot to pin or unpin');
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
      ? vscode.l10n.t('Unpinned “{0}”.', line.label)
      : vscode.l10n.t('Pinned “{0}”. It is kept until you unpin it.', line.label);
    void showInformation(text);
  }
}
