import type { ExactValue } from '../../base/exactJson.ts';

const METHODS = ['checkpoint', 'resume', 'replay'] as const;

/**
 * How the agent's memory was restored. `checkpoint`: by the agent itself; other programs may write
 * this method, AH does not. `resume`: from a trimmed copy of its transcript. `replay`: by repeating
 * the prompts.
 */
export type RestoreMethod = (typeof METHODS)[number];

/** The moment that a branch's session started from, stored in its `session.meta.json`. */
export interface Provenance {
  readonly fromSessionId: string;
  /** The moment, in nanoseconds since the epoch. */
  readonly fromTs: bigint;
  /** Byte offset in the output of the original session. */
  readonly fromByte: number;
  readonly fsSnapshotId: bigint;
  readonly method: RestoreMethod;
  /** How the memory was restored in detail, for troubleshooting. */
  readonly agentDetails: ExactValue;
  /** Name of the branch. */
  readonly name: string;
}

/** Checks a value from a file or another process; undefined when it is not a provenance. */
export function decodeProvenance(value: ExactValue): Provenance | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { fromSessionId, fromTs, fromByte, fsSnapshotId, method, agentDetails, name } = value as {
    readonly [key: string]: ExactValue;
  };
  const known = METHODS.find((each) => each === method);
  const isGood =
    typeof fromSessionId === 'string' &&
    isInteger(fromTs) &&
    isInteger(fsSnapshotId) &&
    typeof fromByte === 'number';
  if (!isGood || !known) return undefined;
  return {
    fromSessionId,
    fromByte,
    method: known,
    agentDetails: agentDetails ?? {},
    fromTs: BigInt(fromTs),
    fsSnapshotId: BigInt(fsSnapshotId),
    name: typeof name === 'string' ? name : '',
  };
}

function isInteger(value: ExactValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Environment variables that every program of a branch gets. */
export function branchEnvironment(
  id: string,
  from: Omit<Provenance, 'agentDetails'>,
  source: string,
  message: string | undefined,
): Record<string, string> {
  return {
    AH_BRANCH_ID: id,
    AH_BRANCH_NAME: from.name,
    AH_BRANCH_FROM_SESSION: from.fromSessionId,
    AH_BRANCH_FROM_TS: String(from.fromTs),
    AH_BRANCH_FROM_BYTE: String(from.fromByte),
    AH_BRANCH_FROM_SNAPSHOT: String(from.fsSnapshotId),
    AH_BRANCH_FROM_WORKSPACE: source,
    AH_BRANCH_METHOD: from.method,
    ...(message !== undefined && { AH_BRANCH_MESSAGE: message }),
  };
}
