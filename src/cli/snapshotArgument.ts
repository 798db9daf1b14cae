import { InvalidArgumentError } from 'commander';

/** A snapshot's number. */
export function parseSnapshotId(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) {
    throw new InvalidArgumentError('It must be the number of a snapshot. See: ah agent fs list');
  }
  return BigInt(text);
}
