import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { Session } from '../sessions/session.ts';
import type { ChoiceOptions, SessionChooser } from '../sessions/sessionChooser.ts';
import { dateOf, startText } from '../sessions/timeText.ts';
import { parseMomentArgument } from './momentArgument.ts';

/** Finds the branch that a command applies to. */
export class BranchChooser {
  readonly #sessions: SessionChooser;
  readonly #registry: BranchRegistry;

  constructor(sessions: SessionChooser, registry: BranchRegistry) {
    this.#sessions = sessions;
    this.#registry = registry;
  }

  session(argument: unknown, options: ChoiceOptions): Promise<Session | undefined> {
    return this.#sessions.choose(argument, options);
  }

  /**
   * Returns the branch that the argument names, or the branch that is open in this window, or one
   * that the user picks.
   */
  async choose(argument: unknown): Promise<BranchRecord | undefined> {
    const { sessionId } = parseMomentArgument(argument);
    const given = sessionId === undefined ? undefined : await this.#registry.get(sessionId);
    if (given) return given;
    if (sessionId !== undefined) {
      throw new UserError('no-branch', vscode.l10n.t('This session is not a branch.'));
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    const records = await this.#registry.list();
    const here = records.filter(({ workspace }) => folders.includes(workspace));
    if (here.length === 1) return here[0];
    // Offers branches of other projects only when this project has none.
    const isOfProject = ({ from }: BranchRecord) => folders.includes(from.workspace);
    return this.pick(records.some(isOfProject) ? isOfProject : () => true);
  }

  async pick(isOffered: (record: BranchRecord) => boolean): Promise<BranchRecord | undefined> {
    const records = (await this.#registry.list()).filter(isOffered);
    if (records.length === 0) {
      throw new UserError('no-branch', vscode.l10n.t('No branches yet.'));
    }
    const leftovers = await Promise.all(records.map((record) => this.#registry.isLeftover(record)));
    const items = records.map((record, index) => ({
      label: record.name,
      description: startText(dateOf(record.createdAtNs), new Date(), vscode.env.language),
      detail: leftovers[index]
        ? `$(warning) ${vscode.l10n.t('incomplete: discard this branch')} · ${record.workspace}`
        : record.workspace,
      record,
    }));
    const placeHolder = vscode.l10n.t('Select a branch');
    const item = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
    return item?.record;
  }
}
