import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import { prewarmFirstSnapshot } from '../../branching/node/plan/prewarmFirstSnapshot.ts';
import { makeBranch, type MakingStep } from '../../branching/node/make/makeBranch.ts';
import {
  planBranch,
  type BranchParts,
  type BranchPlan,
  type BranchRequest,
} from '../../branching/node/plan/planBranch.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import type { SessionFiles } from '../../sessions/node/sessionFiles.ts';
import { configuration } from '../configuration.ts';
import { programEnvironment } from '../terminals/launchSession.ts';
import { isRunning, type Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';
import type { SnapshotChooser } from '../snapshots/snapshotChooser.ts';
import { givenPoint, parseBranchArgument, type BranchArgument } from './branchArgument.ts';
import { askMessage, confirmBranch } from './branchDialog.ts';
import { openBranch } from './openBranch.ts';

/** `AH: Branch Here…`: from a moment to a window in which the agent goes on from there. */
export class BranchHere {
  readonly #store: SessionStore;
  readonly #opened: OpenedSnapshots;
  readonly #chooser: SnapshotChooser;
  readonly #parts: BranchParts;

  constructor(
    store: SessionStore,
    opened: OpenedSnapshots,
    chooser: SnapshotChooser,
    parts: BranchParts,
  ) {
    this.#store = store;
    this.#opened = opened;
    this.#chooser = chooser;
    this.#parts = parts;
  }

  /** @returns what was made; nothing when the person thought better of it */
  async run(given: unknown): Promise<BranchRecord | undefined> {
    if (!vscode.workspace.isTrusted) {
      const text = vscode.l10n.t(
        'A branch runs a program in its folder; trust this workspace first.',
      );
      throw new UserError('not-trusted', text);
    }
    const argument = parseBranchArgument(given);
    const session = await this.#chooser.session(
      argument.sessionId === undefined ? given : { meta: { id: argument.sessionId } },
    );
    if (!session) return undefined;
    const files = await this.#opened.files(session.meta.id);
    const at = await this.#pointOf(session, files, argument);
    if (!at) return undefined;
    // What was already written, in a transcript, need not be written again.
    const message = argument.message || (await askMessage(undefined));
    if (message === undefined) return undefined;
    const planFor = (words: { name?: string | undefined; message?: string | undefined }) =>
      planBranch(files, requestOf(at, words), this.#parts);
    const answer = await confirmBranch(await planFor({ message }), planFor);
    if (!answer) return undefined;
    const record = await this.#make(files, answer.plan);
    // The window first: somebody waits for it, and it takes longer than our list.
    const opening = openBranch(record, answer.window);
    // In this window, the session is there at once.
    if (answer.window === 'new' && configuration().keepsFiles) {
      // Where it fails, the session tries it itself, and tells.
      void prewarmFirstSnapshot(record).catch(() => undefined);
    }
    await opening;
    await this.#store.refresh();
    return record;
  }

  /** The moment that was given, else now for a session that runs, else the snapshot that is picked. */
  async #pointOf(
    session: Session,
    files: SessionFiles,
    argument: BranchArgument,
  ): Promise<BranchRequest['at'] | undefined> {
    const given = givenPoint(argument, files.snapshots);
    if (given) return given;
    if (isRunning(session)) {
      await takeSnapshot(session);
      await files.refresh();
      const last = files.snapshots.at(-1);
      if (last) return { kind: 'snapshot', id: last.id };
    }
    const placeHolder = vscode.l10n.t('From which moment shall the branch begin?');
    const chosen = await this.#chooser.choose({ meta: session.meta }, placeHolder);
    return chosen && { kind: 'snapshot', id: chosen.line.id };
  }

  #make(files: SessionFiles, plan: BranchPlan): Thenable<BranchRecord> {
    return vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Making the branch “{0}”', plan.name),
        cancellable: true,
      },
      (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        const onProgress = (step: MakingStep, detail: string) =>
          progress.report({ message: stepText(step, detail) });
        const options = { signal: stop.signal, isWaiting: true, onProgress };
        return makeBranch(files, plan, this.#parts, options);
      },
    );
  }
}

function requestOf(
  at: BranchRequest['at'],
  { name, message }: { name?: string | undefined; message?: string | undefined },
): BranchRequest {
  const { carriedFiles, carryMode } = configuration();
  return {
    ...{ at, name, message, carried: carriedFiles, carryMode, env: programEnvironment() },
    signal: new AbortController().signal,
  };
}

async function takeSnapshot({ meta }: Session): Promise<void> {
  const client = await RecorderClient.connect(meta.hostSocket);
  try {
    const label = vscode.l10n.t('Branch');
    const line = await client.snapshot({ label, kind: 'manual', trigger: 'manual' });
    if (line?.files.state === 'failed') throw new UserError('no-files', line.files.reason);
  } finally {
    client.dispose();
  }
}

function stepText(step: MakingStep, detail: string): string {
  switch (step) {
    case 'files':
      return vscode.l10n.t('the files of “{0}”', detail);
    case 'carrying':
      return vscode.l10n.t('bringing along {0}', detail);
    case 'agent':
      return vscode.l10n.t('the agent’s memory');
  }
}
