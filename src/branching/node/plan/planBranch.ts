import { existsSync } from 'node:fs';
import { agentOfCommand } from '../../../agents/common/agentCommand.ts';
import { UserError } from '../../../base/errors.ts';
import type { BranchKind } from '../../common/branchRecord.ts';
import { checkMessage } from '../../common/branchMessage.ts';
import { chooseSnapshot, type ChoiceReason, type PassedOver } from '../../common/chooseSnapshot.ts';
import { branchKindOf } from '../../common/unlinkedRepositories.ts';
import type { ProviderName } from '../../../snapshots/common/provider.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';
import type { KeptFiles } from '../../../snapshots/common/snapshotLine.ts';
import type { SessionFiles } from '../../../snapshots/node/list/sessionFiles.ts';
import { readSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import { checkScrubFinished } from '../../../sessions/node/unfinishedScrubs.ts';
import type { AgentMemory, PlannedMemory } from '../memory/agentMemory.ts';
import { memoryRequest } from '../memory/memoryRequest.ts';
import { planExtras, type BranchExtras } from '../carry/planExtras.ts';
import type { BranchRegistry } from '../branchRegistry.ts';
import type { CarryMode } from '../carry/carryFiles.ts';
import type { MomentPlace, MomentRef } from '../../common/momentRef.ts';
import { placeOf } from './momentPlace.ts';
import { nameAndPlace } from './nameAndPlace.ts';
import { snapshotProblem } from './snapshotProblem.ts';

export interface BranchRequest {
  readonly at: MomentRef;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  /** Absolute path. */
  readonly destination?: string | undefined;
  /** Chosen by the provider if undefined. */
  readonly kind?: BranchKind | undefined;
  readonly carried: readonly string[];
  /**
   * Whether the user named the patterns for this branch; patterns without a match then get a
   * warning.
   */
  readonly isCarriedNamed?: boolean;
  readonly carryMode: CarryMode;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** What creating a branch will do, to be shown to the user first. */
export interface BranchPlan extends BranchExtras {
  readonly snapshot: SnapshotLine;
  readonly files: KeptFiles;
  /** Snapshots that are nearer to the moment but can't be used. */
  readonly passedOver: readonly PassedOver[];
  /** Why this snapshot was chosen. */
  readonly why: ChoiceReason;
  readonly moment: MomentPlace;
  readonly kind: BranchKind;
  readonly name: string;
  readonly destination: string;
  readonly message: string | undefined;
  readonly agent: string | undefined;
  readonly memory: PlannedMemory;
  readonly carryMode: CarryMode;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface BranchParts {
  readonly registry: BranchRegistry;
  readonly memory: AgentMemory;
}

/** Plans a branch; writes nothing. @throws UserError when the branch is not possible */
export async function planBranch(
  files: SessionFiles,
  request: BranchRequest,
  { registry, memory }: BranchParts,
): Promise<BranchPlan> {
  const { session, workspace } = files;
  const message = checkMessage(request.message);
  checkScrubFinished(session.meta.id);
  if (!existsSync(workspace)) {
    throw new UserError(
      'workspace-gone',
      `The session's folder ${workspace} does not exist any more. If it was moved: ah agent branch --moved-to FOLDER`,
    );
  }
  // In parallel, because each of these reads from the disk.
  const [provider, place, branches, notes] = await Promise.all([
    files.provider(),
    'snapshotId' in request.at ? undefined : placeOf(session.meta.recording, request.at),
    registry.list(),
    readSessionNotes(session.folder),
  ]);
  const { line, passedOver, why } = await chooseSnapshot(files.snapshots, request.at, (each) =>
    snapshotProblem(files, each),
  );
  if (!line) throw noSnapshot(passedOver);
  // If another snapshot is used, trim the memory to it: the agent must not remember changes that
  // the files lack.
  const asked = passedOver.length === 0 ? place : undefined;
  const moment = asked ?? { byte: line.anchorByte, timeNs: line.tsNs };
  const kept = files.kept(line.id);
  // An in-place branch leaves HEAD and index unchanged.
  const isAside = request.kind !== 'in-place';
  const repositories = isAside ? ((await provider.repositories?.(kept.ref)) ?? []) : [];
  const usual = branchKindOf(repositories);
  const kind = request.kind ?? usual;
  checkKind(kind, usual, provider.name);
  const naming = nameAndPlace(request, { workspace, label: line.label, kind, branches });
  const agent = notes.agent ?? agentOfCommand(session.meta.cmd)?.id;
  const plan = {
    snapshot: line,
    files: kept,
    passedOver,
    why,
    moment,
    kind,
    agent,
    ...naming,
    message,
    ...(await planExtras(files, kept, { ...request, kind, repositories })),
    carryMode: request.carryMode,
    env: request.env,
  };
  const { signal } = request;
  return {
    ...plan,
    memory: await memory.plan(memoryRequest(files, plan, naming.destination, signal)),
  };
}

function noSnapshot(passedOver: readonly PassedOver[]): UserError {
  const [nearest] = passedOver;
  if (!nearest)
    return new UserError('no-snapshot', 'This session has no snapshots to branch from.');
  return new UserError(
    'no-snapshot',
    `No snapshot of this session can be used. The nearest one is ${nearest.line.id}: ${nearest.reason}`,
  );
}

function checkKind(kind: BranchKind, usual: BranchKind, provider: ProviderName): void {
  if (kind === 'in-place' || kind === usual) return;
  const why =
    provider === 'git'
      ? 'no repository has the commit of the snapshot any more'
      : `it is stored with ${provider}`;
  throw new UserError(
    'bad-argument',
    usual === 'worktree'
      ? 'The snapshots of this session are stored with git, so its branches are git worktrees. Leave out --clone.'
      : `A branch of this snapshot is a clone, because ${why}. Leave out --worktree.`,
  );
}
