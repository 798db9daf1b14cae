import path from 'node:path';
import * as vscode from 'vscode';
import { Sequencer } from '../../base/sequencer.ts';
import type { FileChange } from '../../snapshots/common/provider.ts';
import {
  forgetOpened,
  noteOpened,
  type OpenedSnapshot,
} from '../../snapshots/node/list/openedSnapshots.ts';
import { setContextKey } from '../contextKeys.ts';
import { COMMANDS, CONTEXT_KEYS } from '../contributions.ts';
import { showInformation } from '../messages.ts';
import { plainLabel } from '../plainLabel.ts';
import { dateOf, startText } from '../sessions/timeText.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import type { ChosenSnapshot, SnapshotChooser } from './snapshotChooser.ts';
import { snapshotUri } from './snapshotUri.ts';
import type { WorkspaceChanges } from './workspaceChanges.ts';
import type { WorkspaceComparisons } from './workspaceComparisons.ts';

/** package.json uses this ID too, in conditions of menus. */
const SOURCE_CONTROL_ID = 'ah';
/** Key under which a window stores which snapshot it shows, so that a reload can restore it. */
const STATE_KEY = 'ah.changesSince';

interface Shown {
  /** The note that keeps the snapshot from being pruned. */
  readonly noted: Omit<OpenedSnapshot, 'address'>;
  readonly view: vscode.Disposable;
}

/**
 * `AH: Show Changes Since…`: a source control that compares the workspace with a snapshot. The
 * gutter marks the lines that changed since then, and the view “Source Control” lists the files.
 */
export class ChangesSince implements vscode.Disposable {
  readonly #chooser: SnapshotChooser;
  readonly #opened: OpenedSnapshots;
  readonly #comparisons: WorkspaceComparisons;
  readonly #state: vscode.Memento;
  /** Writes and deletes notes in the order of the requests. */
  readonly #notes = new Sequencer();
  #shown: Shown | undefined;
  /**
   * Number of the last request: it decides, even if the comparison of an earlier request ends
   * later.
   */
  #requests = 0;
  #done = 0;

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

  /** @param argument a moment; if it names no snapshot, the user is asked for one */
  async show(argument: unknown): Promise<void> {
    const request = ++this.#requests;
    const chosen = await this.#choose(argument);
    const changes = chosen && (await this.#open(chosen, request));
    if (changes) tellWhere(chosen.line.label, changes.files.size);
  }

  /** Shows the changes again that this window showed before it was reloaded. */
  async restore(): Promise<void> {
    const argument = this.#state.get(STATE_KEY);
    if (argument === undefined) return;
    const request = ++this.#requests;
    try {
      const chosen = await this.#choose(argument);
      if (!chosen) return;
      await this.#comparisons.whenResumed(await this.#opened.workspace(chosen.session.meta.id));
      await this.#open(chosen, request);
    } catch {
      // The session or the snapshot was deleted in the meantime.
      if (request > this.#done) await this.hide();
    }
  }

  async hide(): Promise<void> {
    this.#done = ++this.#requests;
    this.#close();
    await this.#state.update(STATE_KEY, undefined);
  }

  /** Keeps the note, because the window may show the snapshot again after a reload. */
  dispose(): void {
    this.#shown?.view.dispose();
  }

  #choose(argument: unknown): Promise<ChosenSnapshot | undefined> {
    const placeHolder = vscode.l10n.t('Select a snapshot to show the changes made since');
    return this.#chooser.choose(argument, placeHolder);
  }

  #close(): void {
    const shown = this.#shown;
    if (!shown) return;
    this.#shown = undefined;
    shown.view.dispose();
    void setContextKey(CONTEXT_KEYS.showsChanges, false);
    void this.#notes.queue(() => forgetOpened(shown.noted));
  }

  /** @returns undefined if a later request replaced this one */
  async #open(
    { session, line }: ChosenSnapshot,
    request: number,
  ): Promise<WorkspaceChanges | undefined> {
    const key = { sessionId: session.meta.id, snapshotId: line.id };
    const workspace = await this.#opened.workspace(key.sessionId);
    const shared = this.#comparisons.open(key, workspace);
    try {
      await shared.changes.compare();
    } catch (error) {
      shared.dispose();
      throw error;
    }
    if (request < this.#done) {
      shared.dispose();
      return undefined;
    }
    this.#done = request;
    this.#close();
    const time = startText(dateOf(line.tsNs), new Date(), vscode.env.language);
    const label = vscode.l10n.t('Since “{0}”, {1}', plainLabel(line.label), time);
    const originalOf = (file: string) =>
      snapshotUri({ ...key, file: path.posix.join(workspace, file) });
    const view = createView(shared.changes, label, originalOf);
    const noted = { sessionFolder: session.folder, id: line.id, as: 'changes' } as const;
    this.#shown = { noted, view: vscode.Disposable.from(shared, view) };
    void setContextKey(CONTEXT_KEYS.showsChanges, true);
    await this.#notes.queue(() => noteOpened({ ...noted, address: '' }));
    await this.#state.update(STATE_KEY, {
      meta: { id: key.sessionId },
      snapshotId: String(line.id),
    });
    return shared.changes;
  }
}

/** Tells the user where the changes are listed, and how to hide them. */
function tellWhere(label: string, count: number): void {
  const name = plainLabel(label);
  const text =
    count === 0
      ? vscode.l10n.t('No files have changed since “{0}”. Source Control will list changes.', name)
      : count === 1
        ? vscode.l10n.t('Source Control lists 1 file that changed since “{0}”.', name)
        : vscode.l10n.t('Source Control lists {0} files that changed since “{1}”.', count, name);
  const open = vscode.l10n.t('Open Source Control');
  const hide = vscode.l10n.t('Hide Changes');
  void showInformation(text, open, hide).then((answer) => {
    if (answer === open) void vscode.commands.executeCommand('workbench.view.scm');
    if (answer === hide) void vscode.commands.executeCommand(COMMANDS.hideChangesSince);
  });
}

/** Creates a source control that lists the changes and compares files with their originals. */
function createView(
  changes: WorkspaceChanges,
  label: string,
  originalOf: (file: string) => vscode.Uri,
): vscode.Disposable {
  const control = vscode.scm.createSourceControl(
    SOURCE_CONTROL_ID,
    label,
    vscode.Uri.file(changes.folder),
  );
  control.inputBox.visible = false;
  // Add nothing to the badge: git already counts these files.
  control.count = 0;
  control.quickDiffProvider = {
    provideOriginalResource: (uri) => {
      const file = uri.scheme === 'file' ? changes.pathOf(uri.fsPath) : undefined;
      const change = file === undefined ? undefined : changes.files.get(file);
      const hasOriginal = change?.kind === 'modified' || change?.kind === 'type-changed';
      return hasOriginal ? originalOf(change.path) : undefined;
    },
  };
  // VS Code shows the label of a source control only if there are several.
  const group = control.createResourceGroup('changes', label);
  const list = (): void => {
    group.resourceStates = [...changes.files.values()].map((change) =>
      resourceState(change, changes.folder, originalOf(change.path), label),
    );
  };
  list();
  return vscode.Disposable.from(changes.onDidChange(list), group, control);
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
