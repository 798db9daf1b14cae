import type { BranchRequest } from '../../branching/node/plan/planBranch.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';

/** What a command about a moment may be told: by the timeline, a line of a transcript, the list of sessions, another extension. */
export interface BranchArgument {
  readonly sessionId: string | undefined;
  readonly byte: number | undefined;
  /** Nanoseconds since the epoch. */
  readonly tsNs: bigint | undefined;
  readonly snapshotId: bigint | undefined;
  readonly message: string | undefined;
}

/** Takes what it can use, whoever it comes from. */
export function parseBranchArgument(argument: unknown): BranchArgument {
  const fields = (typeof argument === 'object' && argument !== null ? argument : {}) as Partial<
    Record<
      'meta' | 'sessionId' | 'byte' | 'byteOffset' | 'tsNs' | 'snapshotId' | 'message',
      unknown
    >
  >;
  const { id } = (fields.meta ?? {}) as { id?: unknown };
  const byte = fields.byte ?? fields.byteOffset;
  const isByte = Number.isSafeInteger(byte) && (byte as number) >= 0;
  return {
    sessionId: textOf(fields.sessionId) ?? textOf(id),
    byte: isByte ? (byte as number) : undefined,
    tsNs: decimalOf(fields.tsNs),
    snapshotId: decimalOf(fields.snapshotId),
    message: textOf(fields.message),
  };
}

/**
 * The point that an argument names, if it names one. A moment has a place in the output and a time, and where nothing is
 * printed for a while only the time says which of the snapshots there was before it.
 */
export function givenPoint(
  { byte, tsNs, snapshotId }: BranchArgument,
  snapshots: readonly SnapshotLine[],
): BranchRequest['at'] | undefined {
  const line = snapshots.find(({ id }) => id === snapshotId);
  // One whose files somebody else keeps is a moment like any other.
  const isOurs = line !== undefined && line.files.state !== 'elsewhere';
  if (isOurs || (line && byte === undefined)) return { kind: 'snapshot', id: line.id };
  if (byte === undefined) return tsNs === undefined ? undefined : { kind: 'clock', tsNs };
  return tsNs === undefined
    ? { kind: 'byte', byteOffset: byte }
    : { kind: 'moment', byteOffset: byte, tsNs };
}

function decimalOf(value: unknown): bigint | undefined {
  const text = String(value);
  return /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
