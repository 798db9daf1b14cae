import * as vscode from 'vscode';
import { changeSessionNotes, readSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { tooWide, type TooWide } from '../../snapshots/node/open/tooWide.ts';
import { showWarning } from '../messages.ts';
import { isRunning, type Session } from '../sessions/session.ts';

/** Why a session's files are not in snapshots, if its folder is too wide; undefined otherwise. */
export async function tooWideText({ meta }: Session): Promise<string | undefined> {
  if (meta.workspace === undefined) return undefined;
  const kind = await tooWide(meta.workspace);
  return kind && textOf(kind);
}

/** Warns once for each session that runs in a folder without snapshots. */
export class TooWideWarning {
  /**
   * Sessions seen by this window: terminals announce a session several times before its notes are
   * written.
   */
  readonly #seen = new Set<string>();

  async show(session: Session): Promise<void> {
    if (!isRunning(session) || this.#seen.has(session.meta.id)) return;
    this.#seen.add(session.meta.id);
    const text = await tooWideText(session);
    if (text === undefined) return;
    // The user was warned before a reload or in another window.
    if ((await readSessionNotes(session.folder)).hasWarnedTooWide) return;
    await changeSessionNotes(session.folder, { hasWarnedTooWide: true });
    const open = vscode.l10n.t('Open Folder…');
    if ((await showWarning(text, open)) === open) {
      await vscode.commands.executeCommand('vscode.openFolder');
    }
  }
}

function textOf(kind: TooWide): string {
  return kind === 'home'
    ? vscode.l10n.t(
        'The terminal is recorded, but AH Time Travel takes no snapshots of your home folder. To get snapshots, open the folder that you work in.',
      )
    : vscode.l10n.t(
        'The terminal is recorded, but AH Time Travel takes no snapshots of the whole machine. To get snapshots, open the folder that you work in.',
      );
}
