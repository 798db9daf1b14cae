import { InvalidArgumentError } from 'commander';

/** A parser for an option that takes a whole number within bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

export function numberUpTo(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[\d.]+$/.test(text) || !(value >= 0 && value <= max)) {
      throw new InvalidArgumentError(`It must be a number from 0 to ${max}.`);
    }
    return value;
  };
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) {
    throw new InvalidArgumentError('It must be a number above 0.');
  }
  return value;
}

/** A place in a recording, as a person says it. */
export type Moment =
  | { readonly kind: 'byte'; readonly byteOffset: number }
  | { readonly kind: 'elapsed'; readonly seconds: number }
  | { readonly kind: 'clock'; readonly tsNs: bigint };

/** `@198000` (byte), `95`, `95.5s`, `1:35`, `1:02:03` (since the start), or an ISO date and time. */
export function parseMoment(text: string): Moment {
  const byte = /^@(\d+)$/.exec(text);
  if (byte) return { kind: 'byte', byteOffset: Number(byte[1]) };
  const seconds = /^(\d+(?:\.\d+)?)s?$/.exec(text);
  if (seconds) return { kind: 'elapsed', seconds: Number(seconds[1]) };
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(text);
  if (clock) {
    const [, hours = '0', minutes, rest] = clock;
    return { kind: 'elapsed', seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(rest) };
  }
  const date = /^\d{4}-\d\d-\d\d[T ]/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(date)) return { kind: 'clock', tsNs: BigInt(date) * 1_000_000n };
  throw new InvalidArgumentError(
    'It must be @BYTE, seconds (95.5), minutes (1:35), hours (1:02:03), or a date and time (2026-01-31T14:32:07).',
  );
}
