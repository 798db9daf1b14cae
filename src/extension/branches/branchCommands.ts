import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { commitsToMerge, mergeBranch } from '../../branching/node/apply/branchCommits.ts';
import type { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { checkComparable } from '../../branching/node/branchWorkspace.ts';
import { findLosses } from '../../branching/node/remove/branchLosses.ts';
import { removeBranch } from '../../branching/node/remove/removeBranch.ts';
import { showInformation, showWarning } from '../messages.ts';
import { branchesOf } from '../sessions/branchRelations.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { BranchChooser } from './branchChooser.ts';
import { lossText } from './lossText.ts';
import { openBranch } from './openBranch.ts';
import type { ApplyCommand } from './applyCommand.ts';

const { signal } = new AbortController();

/** Shows the timeline of a session, at a byte offset if given. */
export type ShowTimeline = (session: Session, at?: { byteOffset: number }) => void;

/** The commands for existing branches. */
export class BranchCommands {
  readonly #store: SessionStore;
  readonly #registry: BranchRegistry;
  readonly #chooser: BranchChooser;
  readonly #showTimeline: ShowTimeline;
  readonly #apply: ApplyCommand;

  constructor(
    store: SessionStore,
    registry: BranchRegistry,
    chooser: BranchChooser,
    showTimeline: ShowTimeline,
    apply: ApplyCommand,
  ) {
    this.#store = store;
    this.#registry = registry;
    this.#chooser = chooser;
    this.#showTimeline = showTimeline;
    this.#apply = apply;
  }

  async goToParent(argument: unknown): Promise<void> {
    const session = await this.#chooser.session(argument, {
      accepts: ({ meta }) => meta.branchOf !== undefined,
      placeHolder: vscode.l10n.t('Select a branch to show the moment it started from'),
      none: vscode.l10n.t('No session is a branch yet.'),
    });
    if (!session) return;
    const from = session.meta.branchOf;
    if (!from) {
      throw new UserError('no-branch', vscode.l10n.t('This session is not a branch.'));
    }
    const parent = this.#store.get(from.fromSessionId);
    if (!parent) {
      const text = vscode.l10n.t('The original session of this branch was deleted.');
      throw new UserError('session-not-found', text);
    }
    this.#showTimeline(parent, { byteOffset: from.fromByte });
  }

  async showBranches(argument: unknown): Promise<void> {
    const session = await this.#chooser.session(argument, {
      accepts: ({ meta }) => branchesOf(meta.id, this.#store.sessions).length > 0,
      placeHolder: vscode.l10n.t('Select a session to show its branches'),
      none: vscode.l10n.t('No session has branches yet.'),
    });
    if (!session) return;
    const record = await this.#chooser.pick(({ from }) => from.sessionId === session.meta.id);
    const branch = record && this.#store.get(record.id);
    if (branch) this.#showTimeline(branch);
    else if (record) await openBranch(record, 'new');
  }

  async open(argument: unknown): Promise<void> {
    const record = await this.#chooser.choose(argument);
    if (record) await openBranch(record, 'new');
  }

  /**
   * Applies the changed files of a branch; if the branch has commits, lets the user merge these
   * instead.
   */
  async apply(argument: unknown): Promise<void> {
    const record = await this.#chooser.choose(argument);
    if (!record) return;
    checkComparable(record);
    const commits = await commitsToMerge(record, signal);
    const apply = vscode.l10n.t('Apply Changes…');
    const merge = vscode.l10n.t('Merge Commits');
    const detail = commits.slice(0, 3).join(' · ');
    const choice =
      commits.length === 0
        ? apply
        : (
            await vscode.window.showQuickPick([{ label: apply }, { label: merge, detail }], {
              title: vscode.l10n.t('Apply Branch'),
              placeHolder: vscode.l10n.t('How do you want to apply “{0}”?', record.name),
              ignoreFocusOut: true,
            })
          )?.label;
    if (choice === apply) await this.#apply.run(record);
    if (choice !== merge) return;
    await mergeBranch(record, signal);
    const text = vscode.l10n.t('Merged “{0}” into {1}.', record.name, record.from.workspace);
    void showInformation(text);
  }

  async discard(argument: unknown): Promise<void> {
    const record = await this.#chooser.choose(argument);
    if (!record) return;
    const losses = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Comparing files') },
      () => findLosses(record, this.#registry, signal),
    );
    const next = { kind: 'discardBranch', sessionId: record.id } as const;
    if (losses.isRunning) {
      throw new UserError('session-running', vscode.l10n.t('Stop the session first.'), {
        remedy: { kind: 'stopSession', sessionId: record.id, next },
      });
    }
    const other = losses.others.find(({ isRunning }) => isRunning);
    if (other) {
      const text = vscode.l10n.t('Session “{0}” runs in this folder. Stop it first.', other.name);
      throw new UserError('session-running', text, {
        remedy: { kind: 'stopSession', sessionId: other.meta.id, next },
      });
    }
    const discard = vscode.l10n.t('Discard');
    const answer = await showWarning(
      vscode.l10n.t('Discard branch “{0}”?', record.name),
      { modal: true, detail: lossText(record, losses) },
      discard,
    );
    if (answer !== discard) return;
    const warnings = await removeBranch(record, this.#registry);
    if (warnings.length > 0) void showWarning(warnings.join(' '));
    await this.#store.refresh();
    const text = vscode.l10n.t('Discarded branch “{0}”.', record.name);
    void showInformation(text);
  }
}
