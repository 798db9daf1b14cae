import * as vscode from 'vscode';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { TakeBackStep } from '../../branching/common/threeWay.ts';
import { applyBranch, planApply, type ApplyPlan } from '../../branching/node/apply/applyBranch.ts';
import { movedWorkspace, sessionToApplyTo } from '../../branching/node/apply/applyTarget.ts';
import type { Omission } from '../../snapshots/common/provider.ts';
import { COMMANDS } from '../contributions.ts';
import { showInformation, showWarning } from '../messages.ts';
import type { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';
import { shortened } from './shortened.ts';

const MAX_SHOWN = 2000;

/** Brings the changes of a branch to the folder that it came from: shown first, undone with one click. */
export class TakeBackCommand {
  readonly #opened: OpenedSnapshots;

  constructor(opened: OpenedSnapshots) {
    this.#opened = opened;
  }

  async run(record: BranchRecord): Promise<void> {
    const { meta } = await sessionToApplyTo(record);
    const files = await this.#opened.files(meta.id, movedWorkspace(record));
    const { signal } = new AbortController();
    const plan = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Comparing files') },
      () => planApply(files, record, signal),
    );
    try {
      if (plan.steps.length === 0 && plan.untaken.length > 0) {
        sayUntaken(record, plan.untaken);
        return;
      }
      if (plan.steps.length === 0) {
        const text = vscode.l10n.t('“{0}” has nothing that you do not have.', record.name);
        void showInformation(text);
        return;
      }
      await preview(record, plan.steps);
      if (!(await confirm(record, plan))) return;
      const { done, skipped } = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('Taking back “{0}”', record.name),
          cancellable: true,
        },
        (progress, token) => {
          const stop = new AbortController();
          token.onCancellationRequested(() => stop.abort());
          const onProgress = (count: number, total: number) =>
            progress.report({ increment: 100 / total, message: `${count} / ${total}` });
          return applyBranch(files, plan, { signal: stop.signal, onProgress });
        },
      );
      sayLeft([
        ...skipped.map(({ step, reason }) => `${step.path}: ${reason}`),
        ...plan.steps.filter(({ how }) => how === 'conflict').map(({ path }) => path),
      ]);
      offerUndo(done.length, files.session.meta.id);
    } finally {
      plan.branch.dispose();
    }
  }
}

/** The original's files beside the branch's. */
async function preview(record: BranchRecord, steps: readonly TakeBackStep[]): Promise<void> {
  if (steps.length > MAX_SHOWN) return;
  const ours = vscode.Uri.file(record.from.workspace);
  const theirs = vscode.Uri.file(record.workspace);
  const resources = steps.map(({ path, change }) => [
    vscode.Uri.joinPath(ours, path),
    change === 'added' ? undefined : vscode.Uri.joinPath(ours, path),
    change === 'deleted' ? undefined : vscode.Uri.joinPath(theirs, path),
  ]);
  const title = vscode.l10n.t('workspace ↔ {0}', record.name);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

async function confirm(
  record: BranchRecord,
  { steps, untaken }: Pick<ApplyPlan, 'steps' | 'untaken'>,
): Promise<boolean> {
  const count = (how: TakeBackStep['how']) => steps.filter((step) => step.how === how).length;
  const lines = [
    vscode.l10n.t('Files taken as they are in the branch: {0}', count('take')),
    vscode.l10n.t('Files merged with your own changes: {0}', count('merge')),
    vscode.l10n.t(
      'Files left alone, for they conflict with your own changes: {0}',
      count('conflict'),
    ),
    vscode.l10n.t('The present state is kept first and can be brought back.'),
    ...untakenLines(untaken),
  ];
  const take = vscode.l10n.t('Take Back');
  const question = vscode.l10n.t('Take “{0}” back to {1}?', record.name, record.from.workspace);
  const options = { modal: true, detail: lines.join('\n') };
  return (await showWarning(question, options, take)) === take;
}

/** By name: whoever wants them has to copy them. */
function untakenLines(untaken: readonly Omission[]): string[] {
  if (untaken.length === 0) return [];
  const text = vscode.l10n.t('Not taken, for no snapshot can hold them: {0}', untaken.length);
  return ['', text, ...shortened(untaken.map(({ path }) => path))];
}

function sayUntaken(record: BranchRecord, untaken: readonly Omission[]): void {
  const text = vscode.l10n.t('“{0}” has nothing that can be taken back.', record.name);
  void showWarning(text, { modal: true, detail: untakenLines(untaken).join('\n').trim() });
}

function sayLeft(names: readonly string[]): void {
  if (names.length === 0) return;
  const text = vscode.l10n.t('{0} files were left alone.', names.length);
  void showWarning(text, { modal: true, detail: names.join('\n') });
}

function offerUndo(count: number, sessionId: string): void {
  const undo = vscode.l10n.t('Undo');
  const text = vscode.l10n.t('Files taken back: {0}', count);
  void showInformation(text, undo).then((answer) => {
    if (answer !== undo) return;
    void vscode.commands.executeCommand(COMMANDS.undoRestore, { meta: { id: sessionId } });
  });
}
