import os from 'node:os';
import path from 'node:path';
import { agentOfCommand } from '../../../agents/common/detect.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import type { BranchKind, BranchRecord } from '../../common/branchRecord.ts';
import { checkMessage } from '../../common/branchMessage.ts';
import { checkBranchName, freeName, suggestedName } from '../../common/branchName.ts';
import {
  chooseSnapshot,
  type BranchPoint,
  type ChoiceReason,
  type PassedOver,
} from '../../common/chooseSnapshot.ts';
import { kindOfFolder } from '../../common/unlinkedRepositories.ts';
import type { ProviderName } from '../../../snapshots/common/provider.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';
import type { KeptFiles, SessionFiles } from '../../../sessions/node/sessionFiles.ts';
import { readSessionNotes } from '../../../sessions/node/sessionNotes.ts';
import { existsSync } from 'node:fs';
import type { AgentMemory, MemoryRequest, PlannedMemory } from '../memory/agentMemory.ts';
import { branchExtras, type BranchExtras } from '../carry/branchExtras.ts';
import type { BranchRegistry } from '../branchRegistry.ts';
import { checkPlace, defaultPlace, isThere } from '../branchPlace.ts';
import type { CarryMode } from '../carry/carryFiles.ts';
import { placeOf, type MomentPlace, type SaidMoment } from './momentPlace.ts';

export interface BranchRequest {
  /** A snapshot by its number, or a moment of the recording. */
  readonly at: { readonly kind: 'snapshot'; readonly id: bigint } | SaidMoment;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  /** Absolute. */
  readonly destination?: string | undefined;
  /** As the provider does it, unless told. */
  readonly kind?: BranchKind | undefined;
  readonly carried: readonly string[];
  /** They were named for this branch: those that nothing fits are told of. */
  readonly isCarriedNamed?: boolean;
  readonly carryMode: CarryMode;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** What making a branch would do: shown to a person before it is done. */
export interface BranchPlan extends BranchExtras {
  readonly snapshot: SnapshotLine;
  readonly files: KeptFiles;
  /** Nearer ones that cannot be used, and why. */
  readonly passedOver: readonly PassedOver[];
  /** Why it is this snapshot. */
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

/** Writes nothing. @throws UserError that says what is in the way */
export async function planBranch(
  files: SessionFiles,
  request: BranchRequest,
  { registry, memory }: BranchParts,
): Promise<BranchPlan> {
  const { session, workspace } = files;
  const message = checkMessage(request.message);
  if (!existsSync(workspace)) {
    throw new UserError(
      'workspace-gone',
      `The folder of this session, ${workspace}, is not there any more. Say where it is now: ah agent branch --moved-to FOLDER`,
    );
  }
  // All that has to be known, at once: each of it is a look at a disk.
  const [provider, point, branches, notes] = await Promise.all([
    files.provider(),
    pointOf(session.meta.recording, request.at),
    registry.list(),
    readSessionNotes(session.folder),
  ]);
  const { line, passedOver, why } = await chooseSnapshot(files.snapshots, point.branch, (each) =>
    troubleWith(files, each),
  );
  if (!line) throw noSnapshot(passedOver);
  // Files of an earlier moment go with what the agent knew then; otherwise it may know more than the files show.
  const asked = passedOver.length === 0 ? point.place : undefined;
  const moment = asked ?? { byte: line.anchorByte, timeNs: line.tsNs };
  const kept = files.kept(line.id);
  // What is put in place has HEAD and index as they are.
  const isAside = request.kind !== 'in-place';
  const repositories = isAside ? ((await provider.repositories?.(kept.ref)) ?? []) : [];
  const usual = kindOfFolder(repositories);
  const kind = request.kind ?? usual;
  checkKind(kind, usual, provider.name);
  const place = nameAndPlace(files, request, line, kind, branches);
  const agent = notes.agent ?? agentOfCommand(session.meta.cmd)?.id;
  const plan = {
    ...{ snapshot: line, files: kept, passedOver, why, moment, kind, agent, ...place },
    message,
    ...(await branchExtras(files, kept, { ...request, kind, repositories })),
    ...{ carryMode: request.carryMode, env: request.env },
  };
  const { signal } = request;
  return {
    ...plan,
    memory: await memory.plan(memoryRequest(files, plan, place.destination, signal)),
  };
}

/** @param workspace of the branch */
export function memoryRequest(
  files: SessionFiles,
  plan: Omit<BranchPlan, 'memory'>,
  workspace: string,
  signal: AbortSignal,
): MemoryRequest {
  const { session, knownAs: from } = files;
  return {
    willHave: (relative) => willHave(files, plan, relative),
    ...{ agent: plan.agent, sessionFolder: session.folder, meta: session.meta },
    ...{ moment: plan.moment, message: plan.message },
    workspace: { from, to: workspace, isWorktree: plan.kind === 'worktree' },
    ...{ env: plan.env, home: plan.env['HOME'] ?? os.homedir(), signal },
  };
}

async function willHave(
  files: SessionFiles,
  { snapshot, carried }: Omit<BranchPlan, 'memory'>,
  relative: string,
): Promise<boolean> {
  if (carried.some((each) => relative === each || relative.startsWith(`${each}/`)))
    return existsSync(path.join(files.workspace, relative));
  const tree = await files.tree(snapshot.id);
  return tree.stat(relative).then(
    () => true,
    () => false,
  );
}

async function pointOf(
  recording: string,
  said: BranchRequest['at'],
): Promise<{ branch: BranchPoint; place?: MomentPlace }> {
  if (said.kind === 'snapshot') return { branch: said };
  const place = await placeOf(recording, said);
  const { byte, timeNs: tsNs } = place;
  switch (said.kind) {
    case 'byte':
      return { branch: { kind: 'byte', byte }, place };
    case 'moment':
      return { branch: { kind: 'moment', byte, tsNs }, place };
    case 'elapsed':
    case 'clock':
      return { branch: { kind: 'time', tsNs }, place };
  }
}

/** Found out by looking: a list says what was kept, not what is still there. */
export async function troubleWith(
  files: SessionFiles,
  line: SnapshotLine,
): Promise<string | undefined> {
  try {
    const kept = files.kept(line.id);
    const provider = await files.provider();
    if (kept.provider !== provider.name) {
      return `Its files were kept with ${kept.provider}, which does not work here now.`;
    }
    const tree = await provider.open(kept.ref);
    // A folder is there or not; of what is put together from parts, at least the first are read.
    if (tree.folder === undefined) await Promise.all([tree.list(''), tree.omissions()]);
    else await tree.stat('');
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function noSnapshot(passedOver: readonly PassedOver[]): UserError {
  const [nearest] = passedOver;
  if (!nearest) return new UserError('no-snapshot', 'No files have been kept in this session.');
  return new UserError(
    'no-snapshot',
    `No snapshot of this session can be used. The nearest is ${nearest.line.id}: ${nearest.reason}`,
  );
}

function checkKind(kind: BranchKind, usual: BranchKind, provider: ProviderName): void {
  if (kind === 'in-place' || kind === usual) return;
  const why =
    provider === 'git'
      ? 'there is no repository now that has its commit'
      : `its files are kept with ${provider}`;
  throw new UserError(
    'bad-argument',
    usual === 'worktree'
      ? 'The files of this session are kept with git: a branch of it is a git worktree. Leave out --clone.'
      : `A branch of this snapshot is a clone: ${why}. Leave out --worktree.`,
  );
}

function nameAndPlace(
  { workspace }: SessionFiles,
  request: BranchRequest,
  line: SnapshotLine,
  kind: BranchKind,
  branches: readonly BranchRecord[],
): { name: string; destination: string } {
  const names = new Set(
    branches.filter(({ from }) => from.workspace === workspace).map(({ name }) => name),
  );
  const placeFor = (name: string) =>
    kind === 'in-place' ? workspace : (request.destination ?? defaultPlace(workspace, name));
  let name: string;
  if (request.name === undefined) {
    const isFree = (each: string) =>
      !names.has(each) &&
      (request.destination !== undefined || !isThere(defaultPlace(workspace, each)));
    name = freeName(suggestedName(request.message, line.label), (each) => !isFree(each));
  } else {
    name = checkBranchName(request.name);
    if (names.has(name)) {
      throw new UserError('name-taken', `There is a branch “${name}” of this workspace already.`);
    }
  }
  const destination = placeFor(name);
  if (kind !== 'in-place') {
    const others = branches.filter((branch) => branch.kind !== 'in-place');
    checkPlace(destination, { workspace, branches: others.map((branch) => branch.destination) });
  }
  return { name, destination };
}
