import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import type { MomentRef } from '../../branching/common/momentRef.ts';
import { prewarmFirstSnapshot } from '../../branching/node/plan/prewarmFirstSnapshot.ts';
import { makeBranch } from '../../branching/node/make/makeBranch.ts';
import type { MakingStep } from '../../branching/node/make/makeOptions.ts';
import {
  planBranch,
  type BranchParts,
  type BranchPlan,
  type BranchRequest,
} from '../../branching/node/plan/planBranch.ts';
import { RecorderClient } from '../../sessions/node/recorderClient.ts';
import type { SessionFiles } from '../../snapshots/node/list/sessionFiles.ts';
import { withCancellableProgress } from '../cancellableProgress.ts';
import { configuration } from '../configuration.ts';
import { programEnvironment } from '../terminals/launchSession.ts';
import { checkNotPaused } from '../sessions/pauseCommands.ts';
import { isRunning, type Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { OpenedSnapshots } from '../snapshots/openedSnapshots.ts';
import type { SnapshotChooser } from '../snapshots/snapshotChooser.ts';
import { momentRefOf, parseMomentArgument, type ParsedMoment } from './momentArgument.ts';
import { askMessage, confirmBranch, type BranchTexts } from './branchDialog.ts';
import { checkFolderIdle } from './checkFolderIdle.ts';
import { openBranch } from './openBranch.ts';
import type { BranchStarter } from './branchStarter.ts';

/** `AH: Branch Here…`: plans a branch from a moment, creates it, and opens its window. */
export class BranchHere {
  readonly #store: SessionStore;
  readonly #opened: OpenedSnapshots;
  readonly #chooser: SnapshotChooser;
  readonly #parts: BranchParts;
  readonly #starter: BranchStarter;

  constructor(
    store: SessionStore,
    opened: OpenedSnapshots,
    chooser: SnapshotChooser,
    parts: BranchParts,
    starter: BranchStarter,
  ) {
    this.#store = store;
    this.#opened = opened;
    this.#chooser = chooser;
    this.#parts = parts;
    this.#starter = starter;
  }

  /** @returns the branch; undefined when the user cancels */
  async run(given: unknown): Promise<BranchRecord | undefined> {
    if (!vscode.workspace.isTrusted) {
      const text = vscode.l10n.t(
        'Trust this workspace first: a branch runs a program in its folder.',
      );
      throw new UserError('not-trusted', text, { remedy: { kind: 'trustWorkspace' } });
    }
    const argument = parseMomentArgument(given);
    const session = await this.#chooser.session(given);
    if (!session) return undefined;
    const files = await this.#opened.files(session.meta.id);
    const at = await this.#momentOf(session, files, argument);
    if (!at) return undefined;
    // Timelines and transcripts pass the message that the user typed there.
    const message = argument.message ?? (await askMessage(undefined));
    if (message === undefined) return undefined;
    const planFor = async (texts: BranchTexts): Promise<BranchPlan> => {
      if (texts.kind === 'in-place') await checkFolderIdle(files.workspace);
      return planBranch(files, requestOf(at, texts), this.#parts);
    };
    const first = await planFor({ name: undefined, message, kind: undefined });
    const answer = await confirmBranch(first, planFor);
    if (!answer) return undefined;
    // A session may have started while the plan was open.
    if (answer.window === 'original') await checkFolderIdle(files.workspace);
    const record = await this.#create(files, answer.plan);
    // Open the window first: the user waits for it, and it takes longer than refreshing the list.
    const opening = openBranch(record, answer.window, this.#starter);
    // A branch in this window starts its session at once, which takes the first snapshot itself.
    if (answer.window === 'new' && configuration().keepsFiles) {
      // If this fails, the session takes the snapshot itself and reports errors.
      void prewarmFirstSnapshot(record).catch(() => undefined);
    }
    await opening;
    await this.#store.refresh();
    return record;
  }

  /**
   * Returns the moment in the argument; otherwise takes a new snapshot if the session runs, or lets
   * the user pick a moment.
   */
  async #momentOf(
    session: Session,
    files: SessionFiles,
    argument: ParsedMoment,
  ): Promise<MomentRef | undefined> {
    const given = momentRefOf(argument, files.snapshots);
    if (given) return given;
    if (isRunning(session)) {
      await takeSnapshot(session);
      await files.refresh();
      const last = files.snapshots.at(-1);
      if (last) return { snapshotId: last.id };
    }
    const placeHolder = vscode.l10n.t('Select a moment to branch from');
    const chosen = await this.#chooser.choose({ meta: session.meta }, placeHolder);
    return chosen && { snapshotId: chosen.line.id };
  }

  #create(files: SessionFiles, plan: BranchPlan): Thenable<BranchRecord> {
    return withCancellableProgress(
      vscode.l10n.t('Creating branch “{0}”', plan.name),
      (signal, progress) => {
        const onProgress = (step: MakingStep, detail: string) =>
          progress.report({ message: stepText(step, detail) });
        const options = { signal, isWaiting: true, onProgress };
        return makeBranch(files, plan, this.#parts, options);
      },
    );
  }
}

function requestOf(at: MomentRef, { name, message, kind }: BranchTexts): BranchRequest {
  const { carriedFiles, carryMode } = configuration();
  return {
    at,
    name,
    message,
    kind,
    carried: carriedFiles,
    carryMode,
    env: programEnvironment(),
    signal: new AbortController().signal,
  };
}

async function takeSnapshot(session: Session): Promise<void> {
  checkNotPaused(session);
  const client = await RecorderClient.connect(session.meta.hostSocket);
  try {
    const label = vscode.l10n.t('Before branching');
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
      return vscode.l10n.t('copying ignored files: {0}', detail);
    case 'agent':
      return vscode.l10n.t('the agent’s memory');
  }
}
