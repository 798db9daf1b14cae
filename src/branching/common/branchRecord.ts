import { parseExactJson, stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { PROVIDER_ORDER, type ProviderName } from '../../snapshots/common/provider.ts';
import type { RestoreMethod } from './provenance.ts';

/**
 * `worktree`: a git worktree of the user's repository. `clone`: a separate copy. `in-place`: the
 * original folder itself.
 */
export type BranchKind = 'worktree' | 'clone' | 'in-place';

/**
 * `making`: being created; the record is written before any file, so that AH knows what to remove
 * if the process is killed. `ready`: complete. `removing`: being removed.
 */
export type BranchState = 'making' | 'ready' | 'removing';

/** Owner of an incomplete branch that no process is creating or removing any more. */
export const NO_OWNER = '';

/** The program that a branch runs, and how its memory was restored. */
export interface BranchLaunch {
  readonly cmd: readonly string[];
  readonly cwd: string;
  /** Added to the environment of the process that launches the program. */
  readonly env: Readonly<Record<string, string>>;
  /** ID of a known agent. */
  readonly agent?: string;
  readonly method: RestoreMethod;
  readonly warnings: readonly string[];
  readonly details: ExactValue;
  /** Whether the next window that opens the branch's workspace starts the program. */
  readonly isWaiting: boolean;
}

/**
 * A branch's copy of an agent session, in the agent's storage. The branch's record lists the copy
 * before it is created.
 */
export interface CopiedAgentSession {
  /** ID of a known agent. */
  readonly agent: string;
  /** The agent's ID for the copied session. */
  readonly session: string;
  /** The agent's program, needed for agents whose sessions only the agent itself can delete. */
  readonly program: string;
  /** Files outside of the branch. */
  readonly files: readonly string[];
  /** Folders created for the files. */
  readonly folders: readonly string[];
}

/** A branch as the registry stores it. Its ID is also the ID of its session. */
export interface BranchRecord {
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  readonly state: BranchState;
  /** The process that makes or removes the branch, or {@link NO_OWNER}. */
  readonly owner: string;
  readonly createdAtNs: bigint;
  readonly kind: BranchKind;
  readonly provider: ProviderName;
  readonly from: {
    readonly sessionId: string;
    readonly workspace: string;
    /** The workspace's path when the session ran, if the workspace was moved since then. */
    readonly knownAs?: string;
    readonly snapshotId: bigint;
    readonly snapshotRef: string;
    readonly byte: number;
    readonly timeNs: bigint;
  };
  /** The folder of the branch; the workspace may be a folder in it. */
  readonly destination: string;
  readonly workspace: string;
  readonly message?: string;
  readonly made?: CopiedAgentSession;
  /** Set once the branch is complete. */
  readonly launch?: BranchLaunch;
}

export function encodeBranchRecord(record: BranchRecord): string {
  return `${stringifyExactJson(record as unknown as ExactValue)}\n`;
}

/** Decodes a record; undefined when the text is not a branch record. */
export function decodeBranchRecord(text: string): BranchRecord | undefined {
  let value: ExactValue;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined; // Not JSON.
  }
  if (!isFields(value)) return undefined;
  const record = value as unknown as BranchRecord;
  const { from } = record;
  const isRecord =
    record.version === 1 &&
    areTexts(record.id, record.name, record.owner, record.destination, record.workspace) &&
    ['making', 'ready', 'removing'].includes(record.state) &&
    ['worktree', 'clone', 'in-place'].includes(record.kind) &&
    PROVIDER_ORDER.includes(record.provider) &&
    isFields(from) &&
    areTexts(from.sessionId, from.workspace, from.snapshotRef) &&
    Number.isSafeInteger(from.byte) &&
    areIntegers(record.createdAtNs, from.timeNs, from.snapshotId) &&
    (record.made === undefined || isCopiedSession(record.made)) &&
    (record.launch === undefined || isLaunch(record.launch));
  if (!isRecord) return undefined;
  return {
    ...record,
    createdAtNs: BigInt(record.createdAtNs),
    from: { ...from, timeNs: BigInt(from.timeNs), snapshotId: BigInt(from.snapshotId) },
  };
}

function isCopiedSession(made: CopiedAgentSession): boolean {
  return (
    isFields(made as unknown as ExactValue) &&
    areTexts(made.agent, made.session, made.program) &&
    [made.files, made.folders].every((list) => isList(list) && areTexts(...list))
  );
}

function isLaunch(launch: BranchLaunch): boolean {
  return (
    isFields(launch as unknown as ExactValue) &&
    isList(launch.cmd) &&
    launch.cmd.length > 0 &&
    areTexts(...launch.cmd, launch.cwd) &&
    isFields(launch.env) &&
    areTexts(...Object.values(launch.env)) &&
    isList(launch.warnings) &&
    typeof launch.isWaiting === 'boolean'
  );
}

function isFields(value: ExactValue): value is { readonly [key: string]: ExactValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

/** Whether all values are integers: small ones are decoded as numbers, large ones as bigints. */
function areIntegers(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value));
}
