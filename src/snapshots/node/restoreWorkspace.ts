import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { parseExactJson, stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import type { Omission } from '../common/provider.ts';
import type { RestoreResult } from '../common/restore.ts';
import { restoreSteps, type RestoreStep } from '../common/restoreSteps.ts';
import { decodeOmissions } from '../common/snapshotLine.ts';
import type { KeptFiles, SessionFiles } from '../../sessions/node/sessionFiles.ts';
import { SystemClock } from '../../platform/node/systemClock.ts';
import { applySteps, removeAbandonedDrafts } from './applySteps.ts';

const FILE = 'session.restores.jsonl';
/** In the names of states that are kept before they are replaced; then comes the time. */
const BEFORE_RESTORE = '-restore-';
/** Longer than it takes to compare the largest workspace with a snapshot. */
const RESTORE_MS = 10 * 60_000;

/** A state that was replaced, kept so that it can come back: a line of `session.restores.jsonl`. */
export interface ReplacedState {
  readonly tsNs: bigint;
  readonly provider: string;
  readonly ref: string;
  /** What it was replaced by. */
  readonly label: string;
  /** What was there and is not in it. */
  readonly leftOut: readonly Omission[];
  /** Where it was replaced, if not where the session's files were when they were kept. */
  readonly workspace?: string;
}

/** A state to go to. */
export interface RestorableState {
  readonly ref: string;
  /** What the moment says that it did not keep: it may have been there, and is not deleted. */
  readonly leftOut: readonly Omission[];
}

/** That of a moment. */
export function momentState({ ref, omissions }: KeptFiles): RestorableState {
  return { ref, leftOut: omissions };
}

export interface RestoreRequest extends RestorableState {
  readonly label: string;
  readonly signal: AbortSignal;
}

/** What putting a state back changes, and nothing else is: for a person to look at before it happens. */
export interface RestorePlan {
  /** The state as it is now, kept. */
  readonly before: ReplacedState;
  readonly ref: string;
  readonly steps: readonly RestoreStep[];
}

/** Keeps the present state to find out what differs. A folder that is gone is made anew, empty. */
export async function planRestore(
  files: SessionFiles,
  { ref, leftOut, label, signal }: RestoreRequest,
): Promise<RestorePlan> {
  await mkdir(files.workspace, { recursive: true });
  const provider = await files.provider();
  const before = await keepPresent(files, label, signal);
  const [present, target] = [await provider.open(before.ref), await provider.open(ref)];
  const changes = await provider.diff(before.ref, ref, signal);
  const steps = await restoreSteps(changes, { present, target, leftOut }, signal);
  return { before, ref, steps };
}

export interface ApplyOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Makes the files what they were, as far as they are still what they were when it was planned. Only files: a repository that is
 * there keeps its HEAD, index and branches.
 */
export async function applyPlan(
  files: SessionFiles,
  { before, ref, steps }: RestorePlan,
  options: ApplyOptions,
): Promise<RestoreResult> {
  const provider = await files.provider();
  // A person may have looked at it for hours.
  const [present, target] = [await provider.open(before.ref), await provider.open(ref)];
  // Written down before anything is changed: what follows can be undone wherever it stops.
  await appendReplaced(files, before);
  const { workspace } = files;
  return applySteps(steps, { ...options, workspace, target, present });
}

/** Both in one go. */
export async function restoreWorkspace(
  files: SessionFiles,
  request: RestoreRequest,
): Promise<RestoreResult> {
  return applyPlan(files, await planRestore(files, request), request);
}

/** Keeps the present state; {@link appendReplaced} says that it is about to be replaced. */
export async function keepPresent(
  files: SessionFiles,
  label: string,
  signal: AbortSignal,
): Promise<ReplacedState> {
  await removeAbandonedDrafts(files.workspace);
  const provider = await files.provider();
  const tsNs = new SystemClock().nowNs();
  const name = `${files.session.meta.id}${BEFORE_RESTORE}${tsNs}`;
  const taken = await provider.take({ name, label: `Before: ${label}`, signal });
  return {
    ...{ tsNs, provider: provider.name, ref: taken.ref, label, leftOut: taken.omissions },
    ...(files.workspace !== files.knownAs && { workspace: files.workspace }),
  };
}

/**
 * Whether a restore may be about to need a state that nobody knows of yet. One that was only looked at beforehand is of no use
 * after that.
 */
export function mayBeRestoring(ref: string, nowMs: number): boolean {
  const [, tsNs] = new RegExp(`${BEFORE_RESTORE}(\\d{1,20})(?!\\d)`).exec(ref) ?? [];
  return tsNs !== undefined && nowMs - Number(BigInt(tsNs) / 1_000_000n) < RESTORE_MS;
}

/** The states that were replaced, the last one at the end. */
export async function readReplaced(sessionFolder: string): Promise<ReplacedState[]> {
  let text: string;
  try {
    text = await readFile(path.join(sessionFolder, FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap(decodeReplaced);
}

/** @throws UserError when nothing was replaced */
export async function lastReplaced(sessionFolder: string): Promise<ReplacedState> {
  const last = (await readReplaced(sessionFolder)).at(-1);
  if (!last) throw new UserError('nothing-to-undo', 'Nothing has been put back in this session.');
  return last;
}

export async function appendReplaced(files: SessionFiles, state: ReplacedState): Promise<void> {
  const { tsNs, provider, ref, label, leftOut, workspace } = state;
  const skipped = leftOut.map((omission) => ({ ...omission }));
  const line = stringifyExactJson({
    ...{ ts_ns: tsNs, provider, ref, label, skipped },
    ...(workspace !== undefined && { workspace }),
  });
  await appendFile(path.join(files.session.folder, FILE), `${line}\n`, { mode: 0o600 });
}

function decodeReplaced(text: string): ReplacedState[] {
  let value: ExactValue;
  try {
    value = parseExactJson(text);
  } catch {
    return [];
  }
  const {
    ts_ns: tsNs,
    provider,
    ref,
    label,
    skipped,
    workspace,
  } = value as { readonly [key: string]: ExactValue };
  const isState =
    typeof tsNs === 'bigint' &&
    typeof provider === 'string' &&
    typeof ref === 'string' &&
    typeof label === 'string';
  if (!isState) return [];
  const moved = typeof workspace === 'string' ? { workspace } : {};
  return [{ tsNs, provider, ref, label, leftOut: decodeOmissions(skipped), ...moved }];
}
