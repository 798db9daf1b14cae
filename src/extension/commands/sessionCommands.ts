import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { DeletedSessions } from '../../sessions/node/deletedSessions.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import { changeSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { EDITORS } from '../contributions.ts';
import { showInformation } from '../messages.ts';
import { isRunning, sessionName } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';

/** What can be done with a session that exists. */
export class SessionCommands {
  readonly #store: SessionStore;
  readonly #terminals: SessionTerminals;
  readonly #chooser: SessionChooser;
  readonly #deleted: DeletedSessions;

  constructor(
    store: SessionStore,
    terminals: SessionTerminals,
    chooser: SessionChooser,
    deleted: DeletedSessions,
  ) {
    this.#store = store;
    this.#terminals = terminals;
    this.#chooser = chooser;
    this.#deleted = deleted;
  }

  async attach(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: (each) => isRunning(each) && !this.#terminals.shows(each.meta.id),
      placeHolder: vscode.l10n.t('Which session shall be shown?'),
      none: vscode.l10n.t('No session is running that this window does not show already.'),
    });
    if (session) await this.#terminals.attach(session);
  }

  async stop(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: isRunning,
      placeHolder: vscode.l10n.t('Which session shall end?'),
      none: vscode.l10n.t('No session is running.'),
    });
    if (!session) return;
    const client = await RecorderClient.connect(session.meta.hostSocket);
    try {
      await client.stop();
    } finally {
      client.dispose();
    }
  }

  async openRecording(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: () => true,
      placeHolder: vscode.l10n.t('Which recording shall be opened?'),
      none: vscode.l10n.t('There is no recording yet.'),
    });
    if (!session) return;
    const file = vscode.Uri.file(session.meta.recording);
    await vscode.commands.executeCommand('vscode.openWith', file, EDITORS.finalLines);
  }

  async rename(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: () => true,
      placeHolder: vscode.l10n.t('Which session shall be renamed?'),
      none: vscode.l10n.t('There is no session yet.'),
    });
    if (!session) return;
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t('Rename Session'),
      value: sessionName(session),
      validateInput: (text) =>
        text.trim() === '' ? vscode.l10n.t('A session needs a name.') : undefined,
    });
    if (name === undefined) return;
    await changeSessionNotes(session.folder, { name: name.trim() });
    await this.#store.refresh();
  }

  async reveal(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: () => true,
      placeHolder: vscode.l10n.t('Which session’s files shall be shown?'),
      none: vscode.l10n.t('There is no session yet.'),
    });
    if (!session) return;
    if (vscode.env.uiKind === vscode.UIKind.Web || vscode.env.remoteName !== undefined) {
      // The files are on another machine, whose file manager nobody sees.
      await vscode.env.clipboard.writeText(session.meta.recording);
      const text = vscode.l10n.t('Copied the path: {0}', session.meta.recording);
      void showInformation(text);
      return;
    }
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(session.meta.recording));
  }

  /** At once, without asking: it can be undone for as long as the message is there. */
  async delete(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: (each) => !isRunning(each),
      placeHolder: vscode.l10n.t('Which session shall be deleted?'),
      none: vscode.l10n.t('There is no session that has ended.'),
    });
    if (!session) return;
    if (isRunning(session)) {
      throw new UserError('session-running', vscode.l10n.t('Stop the session first.'));
    }
    const branches = await new BranchRegistry().listFrom(session.meta.id);
    await this.#deleted.add(session);
    await this.#store.refresh();
    void this.#offerUndo(session.meta.id, deletedText(sessionName(session), branches));
  }

  async #offerUndo(id: string, text: string): Promise<void> {
    const undo = vscode.l10n.t('Undo');
    if ((await showInformation(text, undo)) === undo) {
      await this.#deleted.restore(id);
      await this.#store.refresh();
    } else {
      await this.#deleted.purge(id);
    }
  }
}

function deletedText(name: string, branches: readonly BranchRecord[]): string {
  if (branches.length === 0) return vscode.l10n.t('Deleted “{0}” and its recording.', name);
  const named = branches.map((branch) => `“${branch.name}”`).join(', ');
  return vscode.l10n.t('Deleted “{0}” and its recording. Its branches stay: {1}', name, named);
}
