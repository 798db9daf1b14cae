import { parseTextBundle, type TextBundle } from '../../../base/textBundle.ts';
import type { SearchRequest } from '../search/searchHits.ts';
import { asObject, badRequest, count, finite, shortText, time } from './checkedFields.ts';
import { MOMENT_ACTIONS, type ActionRequest, type MomentPosition } from './timelineProtocol.ts';

/** More edges than any screen has pixel columns. */
const MAX_EDGES = 8193;
/** Far more than an agent accepts: the branch plan tells the user when a message is too long. */
const MAX_MESSAGE_LENGTH = 2_000_000;
/** More characters than any screen has. */
const MAX_COPIED_LENGTH = 2_000_000;

export function parseActivity(value: unknown): { edges: number[] } {
  const { edges } = asObject(value);
  if (!Array.isArray(edges) || edges.length < 2 || edges.length > MAX_EDGES) {
    throw badRequest('edges');
  }
  return { edges: edges.map((edge: unknown) => finite(edge, 'edges')) };
}

export function parseSearch(value: unknown): SearchRequest {
  const { searchId, text, isRegex, isCaseSensitive } = asObject(value);
  return {
    searchId: count(searchId, 'searchId'),
    text: shortText(text, 'text'),
    isRegex: isRegex === true,
    isCaseSensitive: isCaseSensitive === true,
  };
}

export function parseAction(value: unknown): ActionRequest {
  const { action, message } = asObject(value);
  const known = MOMENT_ACTIONS.find((name) => name === action);
  if (!known) throw badRequest('action');
  const isMessage = typeof message === 'string' && message.length <= MAX_MESSAGE_LENGTH;
  if (message !== null && !isMessage) throw badRequest('message');
  return { action: known, message, ...parsePosition(value) };
}

export function parsePosition(value: unknown): MomentPosition {
  const { momentId, timeMs, byteOffset } = asObject(value);
  return {
    momentId: momentId === null ? null : shortText(momentId, 'momentId'),
    timeMs: time(timeMs, 'timeMs'),
    byteOffset: count(byteOffset, 'byteOffset'),
  };
}

export function parseCopiedText(value: unknown): string {
  const { text } = asObject(value);
  if (typeof text !== 'string' || text.length > MAX_COPIED_LENGTH) throw badRequest('text');
  return text;
}

export function parseOpenSession(value: unknown): {
  sessionId: string;
  byteOffset: number | null;
} {
  const { sessionId, byteOffset } = asObject(value);
  return {
    sessionId: shortText(sessionId, 'sessionId'),
    byteOffset: byteOffset === null ? null : count(byteOffset, 'byteOffset'),
  };
}

export function parseOpen(value: unknown): { file: string; texts: TextBundle } {
  const { file, texts } = asObject(value);
  return { file: shortText(file, 'file'), texts: parseTextBundle(texts) };
}

export function parseHelloRequest(value: unknown): number {
  return count(asObject(value)['protocolVersion'], 'protocolVersion');
}
