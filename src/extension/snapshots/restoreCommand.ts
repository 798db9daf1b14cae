import * as vscode from 'vscode';
import {
  applyPlan,
  planRestore,
  type ReplacedBy,
  type RestorableState,
  type RestorePlan,
} from '../../snapshots/node/restore/restoreWorkspace.ts';
import type { SessionFiles } from '../../snapshots/node/list/sessionFiles.ts';
import type { RestoreStep } from '../../snapshots/common/restore/restoreSteps.ts';
import { withCountedProgress } from '../cancellableProgress.ts';
import { COMMANDS } from '../contributions.ts';
import { showInformation, showWarning } from '../messages.ts';
import type { ReviewFile } from '../review/reviewSelection.ts';
import type { ReviewView } from '../review/reviewView.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import { doneText, replacedText, reviewDetail, skippedText, undoneText } from './restoreTexts.ts';
import type { SnapshotChooser } from './snapshotChooser.ts';
import type { UndoChooser } from './undoChooser.ts';

/**
 * Argument of the undo command. `isReviewed` skips the review: the user has just seen the changes.
 */
interface UndoArgument {
  readonly meta: { readonly id: string };
  readonly isReviewed?: boolean;
}

/** Restores the workspace to a snapshot after a review of the changes, and offers undo. */
export class RestoreCommand {
  readonly #chooser: SnapshotChooser;
  readonly #opened: OpenedSnapshots;
  readonly #review: ReviewView;
  readonly #undoChooser: UndoChooser;

  constructor(
    chooser: SnapshotChooser,
    undoChooser: UndoChooser,
    opened: OpenedSnapshots,
    review: ReviewView,
  ) {
    this.#chooser = chooser;
    this.#undoChooser = undoChooser;
    this.#opened = opened;
    this.#review = review;
  }

  async restore(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Select a snapshot to restore');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (!chosen) return;
    const { session, line } = chosen;
    const files = await this.#opened.files(session.meta.id);
    const state = files.kept(line.id);
    const by = { action: 'restore', name: line.label } as const;
    const plan = await this.#plan(files, state, { label: line.label, by });
    if (plan) await this.#show(files, plan, by);
  }

  /** @returns undefined if the user cancelled */
  async #plan(
    files: SessionFiles,
    state: RestorableState,
    names: { readonly label: string; readonly by: ReplacedBy },
  ): Promise<RestorePlan | undefined> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Comparing with the workspace'),
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      try {
        return await planRestore(files, { ...state, ...names, signal: stop.signal });
      } catch (error) {
        if (stop.signal.aborted) return undefined;
        throw error;
      }
    });
  }

  async #show(files: SessionFiles, plan: RestorePlan, by: ReplacedBy): Promise<void> {
    const { steps, ref } = plan;
    if (steps.length === 0) {
      void showInformation(vscode.l10n.t('The workspace already matches this snapshot.'));
      return;
    }
    const provider = await files.provider();
    await this.#review.show({
      title: replacedText(by),
      detail: reviewDetail(steps, isOpenHere(files.workspace) ? undefined : files.workspace),
      workspace: files.workspace,
      result: await provider.open(ref),
      files: steps.map(asReviewFile),
      apply: (checked) => {
        const chosen = steps.filter(({ path }) => checked.has(path));
        return this.#apply(files, { ...plan, steps: chosen }, by);
      },
    });
  }

  async undo(argument: unknown): Promise<void> {
    const change = await this.#undoChooser.choose(argument);
    if (!change) return;
    const { session, replaced } = change;
    const files = await this.#opened.files(session.meta.id, replaced.workspace);
    const label = vscode.l10n.t('before “{0}”', replaced.label);
    const name = replaced.by ? replacedText(replaced.by) : replaced.label;
    const by = { ...replaced.by, action: 'undo', name } as const;
    const plan = await this.#plan(files, replaced, { label, by });
    if (!plan) return;
    const { isReviewed } = (argument ?? {}) as Partial<UndoArgument>;
    if (isReviewed === true) await this.#apply(files, plan, by);
    else await this.#show(files, plan, by);
  }

  async #apply(files: SessionFiles, plan: RestorePlan, by: ReplacedBy): Promise<void> {
    const { done, skipped } = await withCountedProgress(
      vscode.l10n.t('Restoring files'),
      (options) => applyPlan(files, plan, options),
    );
    showSkipped(skipped);
    if (by.action === 'undo') void showInformation(undoneText(by, done));
    else offerUndo(doneText(by, done), files.session.meta.id, by);
  }
}

/** Tells the user which steps were skipped, and why. */
export function showSkipped(
  skipped: readonly { readonly step: RestoreStep; readonly reason: string }[],
): void {
  if (skipped.length === 0) return;
  const names = skipped.map(({ step, reason }) => `${step.path}: ${reason}`).join('\n');
  void showWarning(skippedText(skipped.length), { modal: true, detail: names });
}

/** Tells the user what was done, with a button that undoes exactly these changes. */
export function offerUndo(text: string, sessionId: string, { action }: ReplacedBy): void {
  const undo = action === 'apply' ? vscode.l10n.t('Undo Apply') : vscode.l10n.t('Undo Restore');
  void showInformation(text, undo).then((answer) => {
    if (answer !== undo) return;
    const argument: UndoArgument = { meta: { id: sessionId }, isReviewed: true };
    void vscode.commands.executeCommand(COMMANDS.undoRestore, argument);
  });
}

/** Whether this window shows a folder. An apply can be undone from the window of its branch. */
function isOpenHere(folder: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) !== undefined;
}

function asReviewFile({ path, kind, isFolder }: RestoreStep): ReviewFile {
  return { path, kind, how: 'replace', ...(isFolder && { isFolder }) };
}
