import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { DeletedSessions } from '../../sessions/node/deletedSessions.ts';
import { changeSessionNotes, type SessionNotes } from '../../sessions/node/sessionNotes.ts';
import { EDITORS } from '../contributions.ts';
import { showInformation } from '../messages.ts';
import { isRunning, sessionName } from './session.ts';
import type { SessionChooser } from './sessionChooser.ts';
import type { SessionStore } from './sessionStore.ts';
import { confirmStop, hasEnded, stopSession } from './stopSession.ts';
import type { SessionTerminals } from '../terminals/sessionTerminals.ts';

/** Commands about one session. */
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
      placeHolder: vscode.l10n.t('Select a session to show'),
      none: vscode.l10n.t('No other session is running.'),
    });
    if (session) await this.#terminals.attach(session);
  }

  /** @returns whether a session was stopped and has ended */
  async stop(argument: unknown): Promise<boolean> {
    const session = await this.#chooser.choose(argument, {
      accepts: isRunning,
      placeHolder: vscode.l10n.t('Select a session to stop'),
      none: vscode.l10n.t('No session is running.'),
      alwaysAsks: true,
    });
    if (!session || !(await confirmStop(session))) return false;
    await stopSession(session);
    return hasEnded(session.meta.id, this.#store);
  }

  async openRecording(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: () => true,
      placeHolder: vscode.l10n.t('Select a recording to open'),
      none: vscode.l10n.t('No recordings yet.'),
    });
    if (!session) return;
    const file = vscode.Uri.file(session.meta.recording);
    await vscode.commands.executeCommand('vscode.openWith', file, EDITORS.finalLines);
  }

  async rename(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: () => true,
      placeHolder: vscode.l10n.t('Select a session to rename'),
      none: vscode.l10n.t('No sessions yet.'),
    });
    if (!session) return;
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t('Rename Session'),
      value: sessionName(session),
      validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
    });
    if (name === undefined) return;
    await changeSessionNotes(session.folder, { name: name.trim() });
    await this.#store.refresh();
  }

  /** Pins, archives or marks as read the session of a row, or undoes one of these. */
  async note(argument: unknown, notes: SessionNotes): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: () => true,
      placeHolder: vscode.l10n.t('Select a session'),
      none: vscode.l10n.t('No sessions yet.'),
    });
    if (!session) return;
    await changeSessionNotes(session.folder, notes);
    await this.#store.refresh();
  }

  async reveal(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: () => true,
      placeHolder: vscode.l10n.t('Select a session to reveal its files'),
      none: vscode.l10n.t('No sessions yet.'),
    });
    if (!session) return;
    if (vscode.env.uiKind === vscode.UIKind.Web || vscode.env.remoteName !== undefined) {
      // The files are on another machine, where the local file manager can't show them.
      await vscode.env.clipboard.writeText(session.meta.recording);
      const text = vscode.l10n.t('Copied path: {0}', session.meta.recording);
      void showInformation(text);
      return;
    }
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(session.meta.recording));
  }

  /** Deletes without a question; the message offers undo. */
  async delete(argument: unknown): Promise<void> {
    const session = await this.#chooser.choose(argument, {
      accepts: (each) => !isRunning(each),
      placeHolder: vscode.l10n.t('Select a session to delete'),
      none: vscode.l10n.t('No session has ended yet.'),
      asksForOne: true,
    });
    if (!session) return;
    if (isRunning(session)) {
      throw new UserError('session-running', vscode.l10n.t('Stop the session first.'), {
        remedy: { kind: 'stopSession', sessionId: session.meta.id },
      });
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
  return vscode.l10n.t('Deleted “{0}” and its recording. Its branches are kept: {1}', name, named);
}
