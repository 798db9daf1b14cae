/** A position in a recording, by output and by time. */
export interface MomentPlace {
  /** Bytes of output before it. */
  readonly byte: number;
  /** Nanoseconds since the epoch. */
  readonly timeNs: bigint;
}

/**
 * A moment to branch from: a snapshot, or a position in the recording by output, by time, or by
 * both. Both are needed where the program printed nothing for a while: snapshots there have the
 * same position, but not the same time.
 */
export type MomentRef = { readonly snapshotId: bigint } | PlaceRef;

export type PlaceRef =
  | MomentPlace
  | { readonly byte: number; readonly timeNs?: never }
  | { readonly byte?: never; readonly timeNs: bigint };
