/** A position in a recording, by output and by time. */
export interface MomentPlace {
  /** Bytes of output before the position. */
  readonly byte: number;
  /** Nanoseconds since the epoch. */
  readonly timeNs: bigint;
}

/**
 * A moment to branch from: a snapshot, or a position in the recording by output, by time, or by
 * both. Both are needed where the program printed nothing for a while: snapshots taken then have
 * the same byte offset but different times.
 */
export type MomentRef = { readonly snapshotId: bigint } | PlaceRef;

export type PlaceRef =
  | MomentPlace
  | { readonly byte: number; readonly timeNs?: never }
  | { readonly byte?: never; readonly timeNs: bigint };
