import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { parseExactJson, stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import type { SnapshotTree } from '../../snapshots/provider.ts';
import { applyRestore, type RestoreResult } from '../../snapshots/restore.ts';
import { restoreSteps, type RestoreStep } from '../../snapshots/restoreSteps.ts';
import { nodeFiles } from '../files/files.ts';
import type { SessionFiles } from '../sessions/sessionFiles.ts';
import { SystemClock } from '../systemClock.ts';

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
}

/**
 * What putting a state back would change, for a person to look at before it happens. Found out just as it is done then, and so
 * by keeping the present state first.
 */
export async function previewRestore(
  files: SessionFiles,
  { ref, label, signal }: RestoreRequest,
): Promise<readonly RestoreStep[]> {
  return (await planRestore(files, { ref, label, signal })).steps;
}

export interface RestoreRequest {
  /** The state to go to. */
  readonly ref: string;
  readonly label: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Keeps the present state, then makes the files what they were. Only files: a repository that is there keeps its HEAD, index
 * and branches.
 */
export async function restoreWorkspace(
  files: SessionFiles,
  request: RestoreRequest,
): Promise<RestoreResult> {
  const { before, steps, present, target } = await planRestore(files, request);
  // Written down before anything is changed: what follows can be undone wherever it stops.
  await appendReplaced(files, before);
  const { signal, onProgress } = request;
  return applyRestore(steps, {
    ...{ workspace: files.workspace, files: nodeFiles, signal, target, present },
    ...(onProgress && { onProgress }),
  });
}

interface RestorePlan {
  readonly before: ReplacedState;
  readonly steps: readonly RestoreStep[];
  readonly present: SnapshotTree;
  readonly target: SnapshotTree;
}

async function planRestore(
  files: SessionFiles,
  { ref, label, signal }: RestoreRequest,
): Promise<RestorePlan> {
  const provider = await files.provider();
  const before = await keepPresent(files, label, signal);
  const [present, target] = [await provider.open(before.ref), await provider.open(ref)];
  const changes = await provider.diff(before.ref, ref, signal);
  return {
    before,
    present,
    target,
    steps: await restoreSteps(changes, { present, target }, signal),
  };
}

/** Keeps the present state; {@link appendReplaced} says that it is about to be replaced. */
export async function keepPresent(
  files: SessionFiles,
  label: string,
  signal: AbortSignal,
): Promise<ReplacedState> {
  const provider = await files.provider();
  const tsNs = new SystemClock().nowNs();
  const name = `${files.session.meta.id}${BEFORE_RESTORE}${tsNs}`;
  const { ref } = await provider.take({ name, label: `Before: ${label}`, signal });
  return { tsNs, provider: provider.name, ref, label };
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
  const { tsNs, provider, ref, label } = state;
  const line = stringifyExactJson({ ts_ns: tsNs, provider, ref, label });
  await appendFile(path.join(files.session.folder, FILE), `${line}\n`, { mode: 0o600 });
}

function decodeReplaced(text: string): ReplacedState[] {
  let value: ExactValue;
  try {
    value = parseExactJson(text);
  } catch {
    return [];
  }
  const { ts_ns: tsNs, provider, ref, label } = value as { readonly [key: string]: ExactValue };
  const isState =
    typeof tsNs === 'bigint' &&
    typeof provider === 'string' &&
    typeof ref === 'string' &&
    typeof label === 'string';
  return isState ? [{ tsNs, provider, ref, label }] : [];
}
