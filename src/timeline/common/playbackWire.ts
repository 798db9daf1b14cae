import { MAX_TERMINAL_SIDE } from '../../base/terminalLimits.ts';
import {
  asObject,
  badRequest,
  count,
  parsePlace,
  time,
  type FrameBody,
  type RangeBody,
} from './webviewProtocol.ts';
import type { PlayItem, PlayRange, ShownState } from './playback.ts';

/** States and ranges as messages: facts in the body, all bytes in one binary. Reading checks every length. */
export function encodeState({ place, cols, rows, stream }: ShownState): {
  body: FrameBody;
  binary: Uint8Array;
} {
  return { body: { ...place, cols, rows }, binary: stream };
}

export function decodeState(body: unknown, binary: Uint8Array | undefined): ShownState {
  return { place: parsePlace(body), ...sizeIn(body), stream: binary ?? new Uint8Array(0) };
}

export function encodeRange(range: PlayRange): { body: RangeBody; binary: Uint8Array } {
  const parts = range.items.map((item) => (item.kind === 'output' ? item.bytes : item.stream));
  const binary = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    binary.set(part, at);
    at += part.length;
  }
  const items = range.items.map((item, index) => ({
    ...item.place,
    length: parts[index]!.length,
    ...(item.kind === 'state' && { cols: item.cols, rows: item.rows }),
  }));
  return { body: { items, isEnd: range.isEnd, endMs: range.endMs }, binary };
}

export function decodeRange(body: unknown, binary: Uint8Array | undefined): PlayRange {
  const { items, isEnd, endMs } = asObject(body);
  if (!Array.isArray(items)) throw badRequest('items');
  const bytes = binary ?? new Uint8Array(0);
  let at = 0;
  const decoded = items.map((value: unknown): PlayItem => {
    const { length, cols } = asObject(value);
    const part = bytes.subarray(at, (at += count(length, 'length')));
    if (at > bytes.length) throw badRequest('length');
    const place = parsePlace(value);
    if (cols === undefined) return { kind: 'output', place, bytes: part };
    return { kind: 'state', place, ...sizeIn(value), stream: part };
  });
  return { items: decoded, isEnd: isEnd === true, endMs: time(endMs, 'endMs') };
}

function sizeIn(value: unknown): { cols: number; rows: number } {
  const { cols, rows } = asObject(value);
  const side = (length: unknown, name: string): number => {
    const cells = count(length, name);
    // A recording may claim anything; a page that tries to draw it would be gone.
    if (cells < 1 || cells > MAX_TERMINAL_SIDE) throw badRequest(name);
    return cells;
  };
  return { cols: side(cols, 'cols'), rows: side(rows, 'rows') };
}
