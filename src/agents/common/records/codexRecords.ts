import type { ExactValue } from '../../../base/exactJson.ts';
import { parseFields, type Fields } from '../untrusted.ts';

/** The input of a call, which may be JSON in a string. */
export function codexCallInput(payload: Fields): ExactValue {
  const input = payload['arguments'] ?? payload['input'] ?? payload['action'] ?? null;
  return typeof input === 'string' ? (parseFields(input) ?? input) : input;
}
