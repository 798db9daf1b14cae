import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { SnapshotFiles, SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { lateText } from '../../timeline/node/moments/lateText.ts';
import { plainLabel } from '../plainLabel.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionChooser } from '../sessions/sessionChooser.ts';
import { sessionPlace } from '../sessions/list/sessionRow.ts';
import { dateOf, startText } from '../sessions/timeText.ts';
import type { OpenedSnapshots } from './openedSnapshots.ts';

/** A snapshot that a command is about. */
export interface ChosenSnapshot {
  readonly session: Session;
  readonly line: SnapshotLine;
}

/** Finds the snapshot of a command: from its argument, or by asking the user. */
export class SnapshotChooser {
  readonly #sessions: SessionChooser;
  readonly #opened: OpenedSnapshots;

  constructor(sessions: SessionChooser, opened: OpenedSnapshots) {
    this.#sessions = sessions;
    this.#opened = opened;
  }

  /**
   * Returns the snapshot that the argument names, or lets the user pick one.
   * @param argument such as `{ meta: { id }, snapshotId }` from a timeline
   * @param except a snapshot that can't be chosen
   */
  async choose(
    argument: unknown,
    placeHolder: string,
    except?: bigint,
  ): Promise<ChosenSnapshot | undefined> {
    const session = await this.session(argument);
    if (!session) return undefined;
    const { snapshots } = await this.#opened.files(session.meta.id);
    const given = snapshotIdOf(argument);
    const line =
      given === undefined || given === except
        ? await pick(
            session,
            snapshots.filter(({ id }) => id !== except),
            placeHolder,
          )
        : snapshots.find(({ id }) => id === given);
    if (given !== undefined && given !== except && !line)
      throw new UserError('no-snapshot', vscode.l10n.t('This snapshot no longer exists.'));
    return line && { session, line };
  }

  session(argument: unknown): Promise<Session | undefined> {
    return this.#sessions.choose(argument, {
      accepts: ({ meta }) => meta.workspace !== undefined,
      placeHolder: vscode.l10n.t('Select a session'),
      none: vscode.l10n.t('No session has snapshots yet.'),
    });
  }
}

function snapshotIdOf(argument: unknown): bigint | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { snapshotId } = argument as { snapshotId?: unknown };
  if (typeof snapshotId === 'bigint') return snapshotId;
  return /^\d{1,20}$/.test(String(snapshotId)) ? BigInt(String(snapshotId)) : undefined;
}

async function pick(
  session: Session,
  snapshots: readonly SnapshotLine[],
  placeHolder: string,
): Promise<SnapshotLine | undefined> {
  const kept = snapshots.filter(({ files }) => files.state === 'kept');
  if (kept.length === 0)
    throw new UserError('no-snapshot', vscode.l10n.t('This session has no snapshots.'));
  const items = kept
    .map((line) => ({
      label: plainLabel(line.label),
      description: `${startText(dateOf(line.tsNs), new Date(), vscode.env.language)} · #${line.id}`,
      detail: filesText(line),
      line,
    }))
    .reverse();
  const item = await vscode.window.showQuickPick(items, {
    title: sessionPlace(session),
    placeHolder,
    matchOnDescription: true,
  });
  return item?.line;
}

function filesText({ files }: SnapshotLine): string {
  return [changedText(files), lateText(files)].filter(Boolean).join(' · ');
}

function changedText(files: SnapshotFiles): string {
  if (files.state !== 'kept' || files.stats.changed === undefined) return '';
  if (files.stats.changed === 0) return vscode.l10n.t('No file changed');
  return files.stats.changed === 1
    ? vscode.l10n.t('1 file changed')
    : vscode.l10n.t('{0} files changed', files.stats.changed);
}
