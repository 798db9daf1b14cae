/**
 * An entry of a recording. Times are wall clock in nanoseconds; byte offsets count the program's
 * output from 0.
 */
export type AhrRecord = DataRecord | ResizeRecord | InputRecord | MarkRecord | SnapshotRecord;

export interface DataRecord {
  readonly kind: 'data';
  readonly tsNs: bigint;
  /** Offset of the first byte in the program's output. */
  readonly startByteOffset: number;
  readonly bytes: Uint8Array;
}

export interface ResizeRecord {
  readonly kind: 'resize';
  readonly tsNs: bigint;
  readonly cols: number;
  readonly rows: number;
}

export interface InputRecord {
  readonly kind: 'input';
  readonly tsNs: bigint;
  readonly bytes: Uint8Array;
}

export interface MarkRecord {
  readonly kind: 'mark';
  readonly tsNs: bigint;
  readonly code: number;
  readonly value: number;
}

export interface SnapshotRecord {
  readonly kind: 'snapshot';
  readonly tsNs: bigint;
  readonly snapshotId: bigint;
  readonly anchorByte: number;
  readonly label: string;
}
