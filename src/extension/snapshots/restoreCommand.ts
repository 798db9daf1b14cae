import * as vscode from 'vscode';
import {
  applyPlan,
  lastReplaced,
  momentState,
  planRestore,
  type RestorableState,
  type RestorePlan,
} from '../../snapshots/node/restoreWorkspace.ts';
import type { SessionFiles } from '../../sessions/node/sessionFiles.ts';
import { WORKSPACE_NOW, type FileChange } from '../../snapshots/common/provider.ts';
import type { RestoreStep } from '../../snapshots/common/restoreSteps.ts';
import { COMMANDS } from '../contributions.ts';
import { showInformation, showWarning } from '../messages.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';
import { leftAloneText, restoredText, restoreDetail, restoreQuestion } from './restoreTexts.ts';
import type { SnapshotChooser } from './snapshotChooser.ts';
import { closeFiles, showFiles } from './snapshotDiffs.ts';

/** Puts the files of a moment back in place: shown first, undone with one click. */
export class RestoreCommand {
  readonly #chooser: SnapshotChooser;
  readonly #opened: OpenedSnapshots;

  constructor(chooser: SnapshotChooser, opened: OpenedSnapshots) {
    this.#chooser = chooser;
    this.#opened = opened;
  }

  async restore(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Which state shall come back?');
    const chosen = await this.#chooser.choose(argument, placeHolder);
    if (!chosen) return;
    const { session, line } = chosen;
    const files = await this.#opened.files(session.meta.id);
    const state = momentState(files.kept(line.id));
    const plan = await this.#plan(files, state, line.label);
    if (!plan) return;
    const { steps } = plan;
    if (steps.length === 0) {
      void showInformation(vscode.l10n.t('The files are like that already.'));
      return;
    }
    const fileSteps = steps.filter(({ isFolder }) => !isFolder);
    const sides = { sessionId: session.meta.id, from: WORKSPACE_NOW, to: line } as const;
    if (fileSteps.length > 0) await showFiles(this.#opened, sides, fileSteps.map(asChange));
    const restore = vscode.l10n.t('Restore');
    const answer = await showWarning(
      restoreQuestion(steps, line.label),
      { modal: true, detail: restoreDetail(steps) },
      restore,
    );
    if (answer !== restore) return;
    await this.#apply(files, plan);
    // It would go on to show what is done.
    await closeFiles(sides);
  }

  /** Nothing when it was stopped: on a large disk it takes a while. */
  async #plan(
    files: SessionFiles,
    state: RestorableState,
    label: string,
  ): Promise<RestorePlan | undefined> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Looking at what would change'),
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      try {
        return await planRestore(files, { ...state, label, signal: stop.signal });
      } catch (error) {
        if (stop.signal.aborted) return undefined;
        throw error;
      }
    });
  }

  async undo(argument: unknown): Promise<void> {
    const session = await this.#chooser.session(argument);
    if (!session) return;
    const replaced = await lastReplaced(session.folder);
    const files = await this.#opened.files(session.meta.id, replaced.workspace);
    const label = vscode.l10n.t('before “{0}”', replaced.label);
    const plan = await this.#plan(files, replaced, label);
    if (plan) await this.#apply(files, plan);
  }

  async #apply(files: SessionFiles, plan: RestorePlan): Promise<void> {
    const { done, skipped } = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Restoring files'),
        cancellable: true,
      },
      (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        const onProgress = (count: number, total: number) =>
          progress.report({ increment: 100 / total, message: `${count} / ${total}` });
        return applyPlan(files, plan, { signal: stop.signal, onProgress });
      },
    );
    if (skipped.length > 0) {
      const names = skipped.map(({ step, reason }) => `${step.path}: ${reason}`).join('\n');
      const text = leftAloneText(skipped.length);
      void showWarning(text, { modal: true, detail: names });
    }
    const undo = vscode.l10n.t('Undo');
    void showInformation(restoredText(done), undo).then((answer) => {
      if (answer === undo)
        void vscode.commands.executeCommand(COMMANDS.undoRestore, { meta: files.session.meta });
    });
  }
}

function asChange({ path, kind }: RestoreStep): FileChange {
  const kinds = { create: 'added', change: 'modified', delete: 'deleted' } as const;
  return { path, kind: kinds[kind] };
}
