import path from 'node:path';
import * as vscode from 'vscode';
import type { FileChange } from '../../snapshots/common/provider.ts';
import { plainLabel } from '../plainLabel.ts';
import { dateOf, startText } from '../sessions/timeText.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import type { ChosenSnapshot, SnapshotChooser } from './snapshotChooser.ts';
import { snapshotUri } from './snapshotUri.ts';
import type { WorkspaceComparisons } from './workspaceComparisons.ts';

/** Also in the conditions of menus in package.json. */
const SOURCE_CONTROL_ID = 'ah';
/** Where a window stores which snapshot it shows, so that it survives a reload. */
const STATE_KEY = 'ah.changesSince';

/**
 * `AH: Show Changes Since…`: a source control whose original files are those of a snapshot. The
 * gutter marks the lines that changed since, and the view “Source Control” lists the files.
 */
export class ChangesSince implements vscode.Disposable {
  readonly #chooser: SnapshotChooser;
  readonly #opened: OpenedSnapshots;
  readonly #comparisons: WorkspaceComparisons;
  readonly #state: vscode.Memento;
  #shown: vscode.Disposable | undefined;

  constructor(
    chooser: SnapshotChooser,
    opened: OpenedSnapshots,
    comparisons: WorkspaceComparisons,
    state: vscode.Memento,
  ) {
    this.#chooser = chooser;
    this.#opened = opened;
    this.#comparisons = comparisons;
    this.#state = state;
  }

  /** @param argument a moment; asks for the snapshot if it names none */
  async show(argument: unknown): Promise<vscode.SourceControl | undefined> {
    const placeHolder = vscode.l10n.t('Select a snapshot to show the changes since');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (!chosen) return undefined;
    const control = await this.#open(chosen);
    await this.#state.update(STATE_KEY, {
      meta: { id: chosen.session.meta.id },
      snapshotId: String(chosen.line.id),
    });
    return control;
  }

  /** Shows what this window showed before it was reloaded. */
  async restore(): Promise<void> {
    const argument = this.#state.get(STATE_KEY);
    if (argument === undefined) return;
    try {
      await this.show(argument);
    } catch {
      // The session or the snapshot was deleted meanwhile.
      await this.hide();
    }
  }

  async hide(): Promise<void> {
    this.#shown?.dispose();
    this.#shown = undefined;
    await this.#state.update(STATE_KEY, undefined);
  }

  dispose(): void {
    this.#shown?.dispose();
  }

  async #open({ session, line }: ChosenSnapshot): Promise<vscode.SourceControl> {
    const key = { sessionId: session.meta.id, snapshotId: line.id };
    const workspace = await this.#opened.workspace(key.sessionId);
    const shared = this.#comparisons.open(key, workspace);
    const { changes } = shared;
    try {
      await changes.compare();
    } catch (error) {
      shared.dispose();
      throw error;
    }
    this.#shown?.dispose();
    const originalOf = (file: string) =>
      snapshotUri({ ...key, file: path.posix.join(workspace, file) });
    const time = startText(dateOf(line.tsNs), new Date(), vscode.env.language);
    const label = vscode.l10n.t('Since “{0}”, {1}', plainLabel(line.label), time);
    const control = vscode.scm.createSourceControl(
      SOURCE_CONTROL_ID,
      label,
      vscode.Uri.file(changes.folder),
    );
    control.inputBox.visible = false;
    // The badge counts what git reports; these are the same files.
    control.count = 0;
    control.quickDiffProvider = {
      provideOriginalResource: (uri) => {
        const file = uri.scheme === 'file' ? changes.pathOf(uri.fsPath) : undefined;
        const change = file === undefined ? undefined : changes.files.get(file);
        const hasOriginal = change?.kind === 'modified' || change?.kind === 'type-changed';
        return hasOriginal ? originalOf(change.path) : undefined;
      },
    };
    const group = control.createResourceGroup('changes', vscode.l10n.t('Changed Files'));
    const list = (): void => {
      group.resourceStates = [...changes.files.values()].map((change) =>
        resourceState(change, changes.folder, originalOf(change.path), label),
      );
    };
    list();
    this.#shown = vscode.Disposable.from(shared, changes.onDidChange(list), group, control);
    return control;
  }
}

function resourceState(
  { path: file, kind }: FileChange,
  folder: string,
  original: vscode.Uri,
  since: string,
): vscode.SourceControlResourceState {
  const resourceUri = vscode.Uri.joinPath(vscode.Uri.file(folder), file);
  const title = vscode.l10n.t('Show Changes');
  const diff = [original, resourceUri, `${path.posix.basename(file)} (${since})`];
  const command =
    kind === 'modified' || kind === 'type-changed'
      ? { command: 'vscode.diff', title, arguments: diff }
      : { command: 'vscode.open', title, arguments: [kind === 'added' ? resourceUri : original] };
  return {
    resourceUri,
    command,
    decorations: { strikeThrough: kind === 'deleted', tooltip: KIND_TEXTS[kind]() },
  };
}

const KIND_TEXTS: Record<FileChange['kind'], () => string> = {
  added: () => vscode.l10n.t('Added since then'),
  modified: () => vscode.l10n.t('Changed since then'),
  'type-changed': () => vscode.l10n.t('Changed since then'),
  deleted: () => vscode.l10n.t('Deleted since then'),
};
