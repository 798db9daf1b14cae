import * as vscode from 'vscode';
import { programName } from '../../agents/common/agentCommand.ts';
import { isShellWithoutMarks } from '../../agents/common/shellIntegration.ts';
import { changeSessionNotes, readSessionNotes } from '../../sessions/node/sessionNotes.ts';
import { tooWide, type TooWide } from '../../snapshots/node/open/tooWide.ts';
import { COMMANDS } from '../contributions.ts';
import { showWarning } from '../messages.ts';
import { isRunning, type Session } from '../sessions/session.ts';

interface MissingSnapshots {
  readonly text: string;
  /** What the user can do about it. */
  readonly action: { readonly label: string; run(session: Session): Thenable<unknown> };
}

/** Says which snapshots a session lacks, and why; undefined if it lacks none. */
export async function missingSnapshotsText(session: Session): Promise<string | undefined> {
  return (await missingSnapshotsOf(session))?.text;
}

/** Warns once for each session that runs without snapshots, or without those after commands. */
export class MissingSnapshotsWarning {
  /**
   * Sessions seen by this window: terminals announce a session several times before its notes are
   * written.
   */
  readonly #seen = new Set<string>();

  async show(session: Session): Promise<void> {
    if (!isRunning(session) || this.#seen.has(session.meta.id)) return;
    this.#seen.add(session.meta.id);
    const missing = await missingSnapshotsOf(session);
    if (!missing) return;
    // The user was warned before a reload or in another window.
    if ((await readSessionNotes(session.folder)).hasWarnedTooWide) return;
    await changeSessionNotes(session.folder, { hasWarnedTooWide: true });
    const { text, action } = missing;
    if ((await showWarning(text, action.label)) !== action.label) return;
    await action.run(session);
  }
}

async function missingSnapshotsOf({ meta }: Session): Promise<MissingSnapshots | undefined> {
  if (meta.workspace === undefined) return undefined;
  const kind = await tooWide(meta.workspace);
  if (kind) {
    const label = vscode.l10n.t('Open Folder…');
    const run = () => vscode.commands.executeCommand('vscode.openFolder');
    return { text: tooWideText(kind), action: { label, run } };
  }
  if (!isShellWithoutMarks(meta.cmd)) return undefined;
  const label = vscode.l10n.t('Take Snapshot…');
  const run = (session: Session) => vscode.commands.executeCommand(COMMANDS.takeSnapshot, session);
  return { text: withoutMarksText(meta.cmd), action: { label, run } };
}

function tooWideText(kind: TooWide): string {
  return kind === 'home'
    ? vscode.l10n.t(
        'The terminal is recorded, but AH Time Travel takes no snapshots of your home folder. To get snapshots, open the folder that you work in.',
      )
    : vscode.l10n.t(
        'The terminal is recorded, but AH Time Travel takes no snapshots of the whole machine. To get snapshots, open the folder that you work in.',
      );
}

function withoutMarksText([program = '', ...args]: readonly string[]): string {
  return vscode.l10n.t(
    'There is no snapshot after each command, because AH Time Travel can’t follow the commands of “{0}”. Record bash, zsh or fish with its usual startup files, or take snapshots yourself.',
    [programName(program), ...args].join(' '),
  );
}
