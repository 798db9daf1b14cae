import { UserError } from '../../../base/errors.ts';

const MAX_TEXT_LENGTH = 10_000;
/** The longest time since the start: its nanoseconds must fit a safe integer. */
const MAX_TIME_MS = Number.MAX_SAFE_INTEGER / 1e6;

/** Checks of message fields. Each throws a {@link UserError} with code `bad-request`. */

export function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw badRequest('body');
  return value as Record<string, unknown>;
}

export function finite(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw badRequest(name);
  return value;
}

/** Milliseconds since the recording began. */
export function time(value: unknown, name: string): number {
  const ms = finite(value, name);
  if (ms < 0 || ms > MAX_TIME_MS) throw badRequest(name);
  return ms;
}

export function count(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw badRequest(name);
  }
  return value;
}

export function shortText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH) throw badRequest(name);
  return value;
}

export function badRequest(field: string): UserError {
  return new UserError('bad-request', `"${field}" is missing or out of range.`);
}
