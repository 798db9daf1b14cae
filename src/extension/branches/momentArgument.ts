import type { MomentRef, PlaceRef } from '../../branching/common/momentRef.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';

/**
 * The argument of all commands about a moment. 64-bit numbers are decimal strings, because JSON has
 * no bigint.
 */
export interface MomentArgument {
  /**
   * Same shape as in a session, so that commands about sessions accept this argument too; undefined
   * for a recording without a session.
   */
  readonly meta: { readonly id: string } | undefined;
  /** Bytes of output before the moment. */
  readonly byte?: number | undefined;
  /** Nanoseconds since the epoch. */
  readonly timeNs?: string | undefined;
  readonly snapshotId?: string | undefined;
  /** The snapshot to compare with; by default the one before `snapshotId`. */
  readonly fromSnapshotId?: string | undefined;
  /** The new instruction for a branch. */
  readonly message?: string | undefined;
}

export interface ParsedMoment {
  readonly sessionId: string | undefined;
  readonly place: PlaceRef | undefined;
  readonly snapshotId: bigint | undefined;
  readonly fromSnapshotId: bigint | undefined;
  readonly message: string | undefined;
}

/**
 * Reads a {@link MomentArgument}. Ignores malformed fields, because any extension can pass an
 * argument.
 */
export function parseMomentArgument(argument: unknown): ParsedMoment {
  const fields: Partial<Record<keyof MomentArgument, unknown>> =
    typeof argument === 'object' && argument !== null ? argument : {};
  const { id } = (fields.meta ?? {}) as { id?: unknown };
  return {
    sessionId: textOf(id),
    place: placeRef(fields.byte, decimalOf(fields.timeNs)),
    snapshotId: decimalOf(fields.snapshotId),
    fromSnapshotId: decimalOf(fields.fromSnapshotId),
    message: textOf(fields.message),
  };
}

/**
 * The snapshot that the argument names, or else its position. The position is also used instead of
 * a snapshot whose files another program stores.
 */
export function momentRefOf(
  { place, snapshotId }: ParsedMoment,
  snapshots: readonly SnapshotLine[],
): MomentRef | undefined {
  const line = snapshots.find(({ id }) => id === snapshotId);
  const isUsable = line && (line.files.state !== 'elsewhere' || place?.byte === undefined);
  return isUsable ? { snapshotId: line.id } : place;
}

function placeRef(byte: unknown, timeNs: bigint | undefined): PlaceRef | undefined {
  const isByte = typeof byte === 'number' && Number.isSafeInteger(byte) && byte >= 0;
  if (!isByte) return timeNs === undefined ? undefined : { timeNs };
  return timeNs === undefined ? { byte } : { byte, timeNs };
}

function decimalOf(value: unknown): bigint | undefined {
  const text = String(value);
  return /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
