import { parseExactJson, stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { PROVIDER_ORDER, type ProviderName } from '../../snapshots/common/provider.ts';
import type { RestoreMethod } from './provenance.ts';

/** `worktree`: a working tree of the user's repository. `clone`: a folder of its own. `in-place`: the session's own folder. */
export type BranchKind = 'worktree' | 'clone' | 'in-place';

/**
 * `making`: written before anything else is, so that what a kill leaves behind is known. `ready`: complete.
 * `removing`: on its way out.
 */
export type BranchState = 'making' | 'ready' | 'removing';

/** Whoever was at work on a branch has given up. */
export const NOBODY = '';

/** What a branch runs, and what became of that. */
export interface BranchLaunch {
  readonly cmd: readonly string[];
  readonly cwd: string;
  /** Added to that of whoever launches it. */
  readonly env: Readonly<Record<string, string>>;
  /** Id of a known agent. */
  readonly agent?: string;
  readonly method: RestoreMethod;
  readonly warnings: readonly string[];
  readonly details: ExactValue;
  /** The next window on the workspace starts it. */
  readonly isWaiting: boolean;
}

/** A session of the agent's own that was made for a branch, where the agent looks for it. Said before anything of it is there. */
export interface CopiedAgentSession {
  /** Id of a known agent. */
  readonly agent: string;
  /** The agent's own name for it. */
  readonly session: string;
  /** The agent's program, for what only it can take away. */
  readonly program: string;
  /** Outside of the branch, as are the folders that were made for them. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** A branch, as the registry keeps it. Its id is that of its session. */
export interface BranchRecord {
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  readonly state: BranchState;
  /** The process that makes or removes it, or {@link NOBODY}. */
  readonly owner: string;
  readonly createdAtNs: bigint;
  readonly kind: BranchKind;
  readonly provider: ProviderName;
  readonly from: {
    readonly sessionId: string;
    readonly workspace: string;
    /** Where the workspace was when the session ran, if it had moved since. */
    readonly knownAs?: string;
    readonly snapshotId: bigint;
    readonly snapshotRef: string;
    readonly byte: number;
    readonly timeNs: bigint;
  };
  /** What was made; its workspace may be a folder in it. */
  readonly destination: string;
  readonly workspace: string;
  readonly message?: string;
  readonly made?: CopiedAgentSession;
  /** Once the agent's part is known. */
  readonly launch?: BranchLaunch;
}

export function encodeBranchRecord(record: BranchRecord): string {
  return `${stringifyExactJson(record as unknown as ExactValue)}\n`;
}

/** Undefined for what is not one. */
export function decodeBranchRecord(text: string): BranchRecord | undefined {
  let value: ExactValue;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined;
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
    areWhole(record.createdAtNs, from.timeNs, from.snapshotId) &&
    (record.made === undefined || isMadeSession(record.made)) &&
    (record.launch === undefined || isLaunch(record.launch));
  if (!isRecord) return undefined;
  return {
    ...record,
    createdAtNs: BigInt(record.createdAtNs),
    from: { ...from, timeNs: BigInt(from.timeNs), snapshotId: BigInt(from.snapshotId) },
  };
}

function isMadeSession(made: CopiedAgentSession): boolean {
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

/** Whole numbers that are small come back as numbers. */
function areWhole(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value));
}
