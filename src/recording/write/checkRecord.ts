import { MAX_DATA_BYTES } from '../format/format.ts';
import type { AhrRecord } from '../format/records.ts';

/**
 * @throws RangeError if a number does not fit its field: a bug of the caller, found before writing
 */
export function checkRecord(record: AhrRecord): void {
  checkU64('tsNs', record.tsNs);
  switch (record.kind) {
    case 'data':
      checkInteger('startByteOffset', record.startByteOffset, Number.MAX_SAFE_INTEGER);
      checkInteger('length', record.bytes.length, MAX_DATA_BYTES);
      return;
    case 'resize':
      checkInteger('cols', record.cols, 0xffff);
      checkInteger('rows', record.rows, 0xffff);
      return;
    case 'input':
      checkInteger('length', record.bytes.length, MAX_DATA_BYTES);
      return;
    case 'mark':
      checkInteger('code', record.code, 0xffffffff);
      checkInteger('value', record.value, 0xffffffff);
      return;
    case 'snapshot':
      checkU64('snapshotId', record.snapshotId);
      checkInteger('anchorByte', record.anchorByte, Number.MAX_SAFE_INTEGER);
      return;
  }
}

function checkU64(name: string, value: bigint): void {
  if (value < 0n || value > 0xffff_ffff_ffff_ffffn) {
    throw new RangeError(`${name} of a record is out of range: ${value}`);
  }
}

function checkInteger(name: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new RangeError(`${name} of a record is out of range: ${value}`);
  }
}
