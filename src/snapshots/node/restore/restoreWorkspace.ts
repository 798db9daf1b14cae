import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, UserError } from '../../../base/errors.ts';
import { parseExactJson, stringifyExactJson, type ExactValue } from '../../../base/exactJson.ts';
import type { Omission } from '../../common/provider.ts';
import type { RestoreResult } from '../../common/restore/applyRestore.ts';
import { restoreSteps, type RestoreStep } from '../../common/restore/restoreSteps.ts';
import { decodeOmissions, type KeptFiles } from '../../common/snapshotLine.ts';
import type { SessionFiles } from '../list/sessionFiles.ts';
import { SystemClock } from '../../../platform/node/systemClock.ts';
import { applySteps, removeAbandonedDrafts } from './applySteps.ts';

const FILE = 'session.restores.jsonl';
/** Part of the name of a snapshot taken before a restore; the time follows it. */
const BEFORE_RESTORE = '-restore-';
/**
 * How long the snapshot of a plan is kept: longer than a user reviews a plan before applying it.
 */
const RESTORE_MS = 24 * 60 * 60_000;

/** What replaced the files, to tell the user what an undo would undo. */
export interface ReplacedBy {
  readonly action: 'restore' | 'apply' | 'undo';
  /** The label of the snapshot, the name of the branch, or what was undone. */
  readonly name: string;
  /** ID of the branch that was applied, or whose apply was undone. */
  readonly branch?: string;
}

/** The snapshot taken before a restore, for undo: a line of `session.restores.jsonl`. */
export interface ReplacedState {
  readonly tsNs: bigint;
  readonly provider: string;
  readonly ref: string;
  /** What the workspace was restored to. */
  readonly label: string;
  /** Missing for older restores and for those of the CLI. */
  readonly by?: ReplacedBy;
  /** Files that were in the workspace and that the snapshot leaves out. */
  readonly omissions: readonly Omission[];
  /** The restored folder, if it is not the one in which the session was recorded. */
  readonly workspace?: string;
}

/**
 * A snapshot to restore, with what it omitted: omitted files may have existed and are not deleted.
 */
export type RestorableState = Pick<KeptFiles, 'ref' | 'omissions'>;

export interface RestoreRequest extends RestorableState {
  readonly label: string;
  readonly by?: ReplacedBy;
  readonly signal: AbortSignal;
}

/** The steps of a restore, for the user to review before it happens. */
export interface RestorePlan {
  /** The snapshot of the present files. */
  readonly before: ReplacedState;
  readonly ref: string;
  readonly steps: readonly RestoreStep[];
}

/**
 * Takes a snapshot of the current files and compares it with the target. Creates the workspace
 * folder if it is gone.
 */
export async function planRestore(
  files: SessionFiles,
  { ref, omissions, label, by, signal }: RestoreRequest,
): Promise<RestorePlan> {
  await mkdir(files.workspace, { recursive: true });
  const provider = await files.provider();
  const before = await keepPresent(files, label, signal, by);
  const [present, target] = [await provider.open(before.ref), await provider.open(ref)];
  const changes = await provider.diff(before.ref, ref, signal);
  const steps = await restoreSteps(changes, { present, target, omissions }, signal);
  return { before, ref, steps };
}

export interface ApplyOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Restores the files that did not change since the plan was made. Only files: an existing
 * repository keeps its HEAD, index and branches.
 */
export async function applyPlan(
  files: SessionFiles,
  { before, ref, steps }: RestorePlan,
  options: ApplyOptions,
): Promise<RestoreResult> {
  const provider = await files.provider();
  // Opened again: the user may have reviewed the plan for hours.
  const [present, target] = [await provider.open(before.ref), await provider.open(ref)];
  // Recorded before anything changes, so that the restore can be undone wherever it stops.
  await appendReplaced(files, before);
  const { workspace } = files;
  return applySteps(steps, { ...options, workspace, target, present });
}

/** Plans and applies a restore. */
export async function restoreWorkspace(
  files: SessionFiles,
  request: RestoreRequest,
): Promise<RestoreResult> {
  return applyPlan(files, await planRestore(files, request), request);
}

/** Takes a snapshot of the current files; {@link appendReplaced} records it for undo. */
export async function keepPresent(
  files: SessionFiles,
  label: string,
  signal: AbortSignal,
  by?: ReplacedBy,
): Promise<ReplacedState> {
  await removeAbandonedDrafts(files.workspace);
  const provider = await files.provider();
  const tsNs = new SystemClock().nowNs();
  const name = `${files.session.meta.id}${BEFORE_RESTORE}${tsNs}`;
  const taken = await provider.take({ name, label: `Before: ${label}`, signal });
  return {
    tsNs,
    provider: provider.name,
    ref: taken.ref,
    label,
    ...(by && { by }),
    omissions: taken.omissions,
    ...(files.workspace !== files.knownAs && { workspace: files.workspace }),
  };
}

/**
 * Whether a snapshot may belong to a restore that is being planned. If the plan is never applied,
 * its snapshot is garbage after some time.
 */
export function mayBeRestoring(ref: string, nowMs: number): boolean {
  const [, tsNs] = new RegExp(`${BEFORE_RESTORE}(\\d{1,20})(?!\\d)`).exec(ref) ?? [];
  return tsNs !== undefined && nowMs - Number(BigInt(tsNs) / 1_000_000n) < RESTORE_MS;
}

/** Reads the snapshots taken before restores, oldest first. */
export async function readReplaced(sessionFolder: string): Promise<ReplacedState[]> {
  let text: string;
  try {
    text = await readFile(path.join(sessionFolder, FILE), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap(decodeReplaced);
}

/** @throws UserError if nothing was restored */
export async function lastReplaced(sessionFolder: string): Promise<ReplacedState> {
  const last = (await readReplaced(sessionFolder)).at(-1);
  if (!last) throw new UserError('nothing-to-undo', 'This session has no restore to undo.');
  return last;
}

export async function appendReplaced(files: SessionFiles, state: ReplacedState): Promise<void> {
  const { tsNs, provider, ref, label, by, omissions, workspace } = state;
  const skipped = omissions.map((omission) => ({ ...omission }));
  const line = stringifyExactJson({
    ts_ns: tsNs,
    provider,
    ref,
    label,
    skipped,
    ...(by && { by: { ...by } }),
    ...(workspace !== undefined && { workspace }),
  });
  await appendFile(path.join(files.session.folder, FILE), `${line}\n`, { mode: 0o600 });
}

function decodeReplaced(text: string): ReplacedState[] {
  let value: ExactValue;
  try {
    value = parseExactJson(text);
  } catch {
    return []; // A damaged line.
  }
  const {
    ts_ns: tsNs,
    provider,
    ref,
    label,
    skipped,
    by,
    workspace,
  } = value as { readonly [key: string]: ExactValue };
  const isState =
    typeof tsNs === 'bigint' &&
    typeof provider === 'string' &&
    typeof ref === 'string' &&
    typeof label === 'string';
  if (!isState) return [];
  const moved = typeof workspace === 'string' ? { workspace } : {};
  const more = { ...decodeBy(by), ...moved };
  return [{ tsNs, provider, ref, label, omissions: decodeOmissions(skipped), ...more }];
}

const ACTIONS = ['restore', 'apply', 'undo'] as const;

function decodeBy(value: ExactValue | undefined): { by?: ReplacedBy } {
  if (typeof value !== 'object' || value === null) return {};
  const { action: given, name, branch } = value as { readonly [key: string]: ExactValue };
  const action = ACTIONS.find((each) => each === given);
  if (!action || typeof name !== 'string') return {};
  return { by: { action, name, ...(typeof branch === 'string' && { branch }) } };
}
