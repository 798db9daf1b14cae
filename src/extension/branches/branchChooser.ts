import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { Session } from '../sessions/session.ts';
import type { ChoiceOptions, SessionChooser } from '../sessions/sessionChooser.ts';
import { clockText, dateOf } from '../sessions/timeText.ts';
import { parseBranchArgument } from './branchArgument.ts';

/** Finds out which branch a command is about. */
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

  /** The one that was given, the one whose folder this window has, or the one that is picked. */
  async choose(argument: unknown): Promise<BranchRecord | undefined> {
    const { sessionId } = parseBranchArgument(argument);
    const given = sessionId === undefined ? undefined : await this.#registry.get(sessionId);
    if (given) return given;
    if (sessionId !== undefined) {
      throw new UserError('no-branch', vscode.l10n.t('This session was not branched off another.'));
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    const records = await this.#registry.list();
    const here = records.filter(({ workspace }) => folders.includes(workspace));
    if (here.length === 1) return here[0];
    // Those of other projects only where this one has none.
    const isOfProject = ({ from }: BranchRecord) => folders.includes(from.workspace);
    return this.pick(records.some(isOfProject) ? isOfProject : () => true);
  }

  async pick(isMeant: (record: BranchRecord) => boolean): Promise<BranchRecord | undefined> {
    const records = (await this.#registry.list()).filter(isMeant);
    if (records.length === 0) {
      throw new UserError('no-branch', vscode.l10n.t('There is no branch yet.'));
    }
    const leftovers = await Promise.all(records.map((record) => this.#registry.isLeftover(record)));
    const items = records.map((record, index) => ({
      label: record.name,
      description: clockText(dateOf(record.createdAtNs), vscode.env.language),
      detail: leftovers[index]
        ? `$(warning) ${vscode.l10n.t('interrupted: discard it')}`
        : record.workspace,
      record,
    }));
    const placeHolder = vscode.l10n.t('Which branch?');
    const item = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
    return item?.record;
  }
}
