import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { ApplyStep } from '../../branching/common/threeWay.ts';
import {
  applyBranch,
  asRestoreStep,
  planApply,
  type ApplyPlan,
} from '../../branching/node/apply/applyBranch.ts';
import { movedWorkspace, sessionToApplyTo } from '../../branching/node/apply/applyTarget.ts';
import type { SessionFiles } from '../../snapshots/node/list/sessionFiles.ts';
import type { Omission } from '../../snapshots/common/provider.ts';
import { withCountedProgress } from '../cancellableProgress.ts';
import { showInformation, showWarning } from '../messages.ts';
import type { ReviewFile } from '../review/reviewSelection.ts';
import type { ReviewView } from '../review/reviewView.ts';
import type { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';
import { offerUndo, showSkipped } from '../snapshots/restoreCommand.ts';
import { doneText, replacedText } from '../snapshots/restoreTexts.ts';
import { shortened } from './shortened.ts';

/** Applies the changes of a branch to the original after a review, and offers undo. */
export class ApplyCommand {
  readonly #opened: OpenedSnapshots;
  readonly #review: ReviewView;

  constructor(opened: OpenedSnapshots, review: ReviewView) {
    this.#opened = opened;
    this.#review = review;
  }

  async run(record: BranchRecord): Promise<void> {
    const { meta } = await sessionToApplyTo(record);
    const files = await this.#opened.files(meta.id, movedWorkspace(record));
    const { signal } = new AbortController();
    const plan = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Comparing files') },
      () => planApply(files, record, signal),
    );
    if (plan.steps.length > 0) {
      await this.#show(record, files, plan);
      return;
    }
    plan.branch.dispose();
    if (plan.unmerged.length > 0) showUnmerged(record, plan.unmerged);
    else void showInformation(vscode.l10n.t('No changes in “{0}”', record.name));
  }

  async #show(record: BranchRecord, files: SessionFiles, plan: ApplyPlan): Promise<void> {
    const by = { action: 'apply', name: record.name } as const;
    await this.#review.show({
      title: replacedText(by),
      detail: detailOf(record, plan),
      workspace: files.workspace,
      result: plan.result,
      files: [
        ...plan.steps.map((step) => asReviewFile(step, files.workspace)),
        ...plan.unmerged.map(asLeftOut),
      ],
      apply: async (checked) => {
        const steps = plan.steps.filter(({ path }) => checked.has(path));
        const { done, skipped } = await withCountedProgress(
          vscode.l10n.t('Applying “{0}”', record.name),
          (options) => applyBranch(files, { ...plan, steps }, options),
        );
        showSkipped(skipped);
        offerUndo(doneText(by, done), files.session.meta.id, by);
      },
      dispose: () => plan.branch.dispose(),
    });
  }
}

function detailOf({ from }: BranchRecord, { steps }: ApplyPlan): string {
  const conflicts = steps.filter(({ how }) => how === 'conflict').length;
  const sentences = [
    vscode.l10n.t('Changes files in {0}.', from.workspace),
    vscode.l10n.t('The current files are saved first, so you can undo this.'),
  ];
  if (conflicts > 0)
    sentences.push(
      vscode.l10n.t('Files not applied because of conflicting local changes: {0}', conflicts),
    );
  return sentences.join(' ');
}

function asReviewFile(step: ApplyStep, workspace: string): ReviewFile {
  const { path, kind } = asRestoreStep(step);
  if (step.how !== 'conflict')
    return { path, kind, how: step.how === 'take' ? 'replace' : step.how };
  // Look on disk: the branch may have added a file that the original has too, or changed a file
  // that the original has deleted.
  const isPresent = existsSync(`${workspace}/${path}`);
  const shown = kind === 'delete' ? kind : isPresent ? 'change' : 'create';
  return { path, kind: shown, how: 'conflict' };
}

function asLeftOut({ path }: Omission): ReviewFile {
  return { path, kind: 'change', how: 'left-out' };
}

function showUnmerged(record: BranchRecord, unmerged: readonly Omission[]): void {
  const text = vscode.l10n.t('No changes in “{0}” can be applied.', record.name);
  const reason = vscode.l10n.t(
    'Files not applied because snapshots can’t contain them: {0}',
    unmerged.length,
  );
  // List the files by name, so that the user can copy them by hand.
  const detail = [reason, ...shortened(unmerged.map(({ path }) => path))].join('\n');
  void showWarning(text, { modal: true, detail });
}
