import type { ExactValue } from '../../base/exactJson.ts';

const METHODS = ['checkpoint', 'resume', 'replay'] as const;

/**
 * How the agent's memory came along: by the agent itself (we make none of these; others may), with a trimmed copy of its
 * transcript, or by its prompts alone.
 */
export type RestoreMethod = (typeof METHODS)[number];

/** Where a session comes from: kept in its `session.meta.json`. */
export interface Provenance {
  readonly fromSessionId: string;
  /** The moment, in nanoseconds since the epoch. */
  readonly fromTs: bigint;
  /** Bytes of output of the session it comes from. */
  readonly fromByte: number;
  readonly fsSnapshotId: bigint;
  readonly method: RestoreMethod;
  /** What the agent's part of it was, for people who look into it. */
  readonly agentDetails: ExactValue;
  /** Of the branch. */
  readonly name: string;
}

/** What was read from a file or another process; undefined for what is no provenance. */
export function decodeProvenance(value: ExactValue): Provenance | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { fromSessionId, fromTs, fromByte, fsSnapshotId, method, agentDetails, name } = value as {
    readonly [key: string]: ExactValue;
  };
  const known = METHODS.find((each) => each === method);
  const isGood =
    typeof fromSessionId === 'string' &&
    isWhole(fromTs) &&
    isWhole(fsSnapshotId) &&
    typeof fromByte === 'number';
  if (!isGood || !known) return undefined;
  return {
    ...{ fromSessionId, fromByte, method: known, agentDetails: agentDetails ?? {} },
    ...{ fromTs: BigInt(fromTs), fsSnapshotId: BigInt(fsSnapshotId) },
    name: typeof name === 'string' ? name : '',
  };
}

function isWhole(value: ExactValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Told to every program of a branch. */
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
