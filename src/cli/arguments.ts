import { InvalidArgumentError } from 'commander';
import type { PlaceRef } from '../branching/common/momentRef.ts';

/** Returns a parser for whole numbers from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

export function numberUpTo(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[\d.]+$/.test(text) || !(value >= 0 && value <= max)) {
      throw new InvalidArgumentError(`Use a number from 0 to ${max}.`);
    }
    return value;
  };
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) {
    throw new InvalidArgumentError('Use a number above 0.');
  }
  return value;
}

/** A moment as `--at` accepts it. */
export type MomentOption = PlaceRef | { readonly elapsedSeconds: number };

/**
 * Parses `@198000` (byte offset), `95`, `95.5s`, `1:35`, `1:02:03` (time since the start), or an
 * ISO date and time.
 */
export function parseMoment(text: string): MomentOption {
  const byte = /^@(\d+)$/.exec(text);
  if (byte) return { byte: Number(byte[1]) };
  const seconds = /^(\d+(?:\.\d+)?)s?$/.exec(text);
  if (seconds) return { elapsedSeconds: Number(seconds[1]) };
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(text);
  if (clock) {
    const [, hours = '0', minutes, rest] = clock;
    return { elapsedSeconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(rest) };
  }
  const date = /^\d{4}-\d\d-\d\d[T ]/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(date)) return { timeNs: BigInt(date) * 1_000_000n };
  throw new InvalidArgumentError(
    'Use @BYTE, seconds (95.5), minutes (1:35), hours (1:02:03), or a date and time (2026-01-31T14:32:07).',
  );
}

export function parseSnapshotId(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) {
    throw new InvalidArgumentError('Use the number of a snapshot. To list them: ah agent fs list');
  }
  return BigInt(text);
}
