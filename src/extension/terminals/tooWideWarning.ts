import * as vscode from 'vscode';
import { tooWide, type TooWide } from '../../snapshots/node/open/tooWide.ts';
import { showWarning } from '../messages.ts';
import { isRunning, type Session } from '../sessions/session.ts';

const WAS_SHOWN = 'tooWideWarningShown';

/** Why a session's files are not in snapshots, if its folder is too wide for them. */
export async function tooWideText({ meta }: Session): Promise<string | undefined> {
  if (meta.workspace === undefined) return undefined;
  const kind = await tooWide(meta.workspace);
  return kind && textOf(kind);
}

/** Says once that a session in the home folder has no snapshots. */
export class TooWideWarning {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  async show(session: Session): Promise<void> {
    if (!isRunning(session) || this.#state.get<boolean>(WAS_SHOWN) === true) return;
    const text = await tooWideText(session);
    if (text === undefined) return;
    await this.#state.update(WAS_SHOWN, true);
    const open = vscode.l10n.t('Open Folder…');
    if ((await showWarning(text, open)) === open) {
      await vscode.commands.executeCommand('vscode.openFolder');
    }
  }
}

function textOf(kind: TooWide): string {
  return kind === 'home'
    ? vscode.l10n.t(
        'The terminal is recorded, but your home folder is not in snapshots. Open the folder that you work in to go back to its files.',
      )
    : vscode.l10n.t(
        'The terminal is recorded, but the whole machine is not in snapshots. Open the folder that you work in to go back to its files.',
      );
}
