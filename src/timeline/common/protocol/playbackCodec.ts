import { MAX_TERMINAL_SIDE } from '../../../base/terminalLimits.ts';
import type { Payload } from '../../../rpc/channel.ts';
import type {
  OutputItem,
  Place,
  PlaybackChunk,
  PlayItem,
  ScreenState,
  SeekTarget,
  StateItem,
} from '../playback/playback.ts';
import { asObject, badRequest, count, shortText, time } from './checkedFields.ts';

/**
 * The JSON body has everything but the bytes; the bytes of all items are sent as one binary part,
 * in order.
 */
type WithoutBytes<T> = Omit<T, 'bytes'>;
type WithLength<T> = WithoutBytes<T> & { readonly length: number };

export type EncodedState = WithoutBytes<ScreenState>;
export type EncodedChunk = Omit<PlaybackChunk, 'items'> & {
  readonly items: readonly (WithLength<OutputItem> | WithLength<StateItem>)[];
};

export function encodeState({ bytes, ...body }: ScreenState): Payload<EncodedState> {
  return { body, binary: bytes };
}

export function decodeState(body: unknown, binary: Uint8Array | undefined): ScreenState {
  return stateOf(asObject(body), binary ?? new Uint8Array(0));
}

export function encodeChunk({ items, ...rest }: PlaybackChunk): Payload<EncodedChunk> {
  const binary = new Uint8Array(items.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  const encoded = items.map(({ bytes, ...item }) => {
    binary.set(bytes, at);
    at += bytes.length;
    return { ...item, length: bytes.length };
  });
  return { body: { ...rest, items: encoded }, binary };
}

export function decodeChunk(body: unknown, binary: Uint8Array | undefined): PlaybackChunk {
  const { items, isEnd, endMs } = asObject(body);
  if (!Array.isArray(items)) throw badRequest('items');
  const bytes = binary ?? new Uint8Array(0);
  let at = 0;
  const decoded = items.map((value: unknown): PlayItem => {
    const item = asObject(value);
    const part = bytes.subarray(at, (at += count(item['length'], 'length')));
    if (at > bytes.length) throw badRequest('length');
    if (item['kind'] === 'state') return { kind: 'state', ...stateOf(item, part) };
    return { kind: 'output', place: parsePlace(item['place']), bytes: part };
  });
  return { items: decoded, isEnd: isEnd === true, endMs: time(endMs, 'endMs') };
}

export function parseSeekTarget(value: unknown): SeekTarget {
  const { timeMs, byteOffset, stepFrom, direction, recordIndex, text, end } = asObject(value);
  if (end === true) return { end };
  if (timeMs !== undefined) return { timeMs: time(timeMs, 'timeMs') };
  if (byteOffset !== undefined) return { byteOffset: count(byteOffset, 'byteOffset') };
  if (recordIndex !== undefined) {
    return { recordIndex: count(recordIndex, 'recordIndex'), text: shortText(text, 'text') };
  }
  if (direction !== 1 && direction !== -1) throw badRequest('direction');
  return { stepFrom: count(stepFrom, 'stepFrom'), direction };
}

export function parsePlace(value: unknown): Place {
  const { timeMs, byteOffset, recordIndex } = asObject(value);
  return {
    timeMs: time(timeMs, 'timeMs'),
    byteOffset: count(byteOffset, 'byteOffset'),
    recordIndex: recordIndex === -1 ? -1 : count(recordIndex, 'recordIndex'),
  };
}

function stateOf({ place, cols, rows }: Record<string, unknown>, bytes: Uint8Array): ScreenState {
  return { place: parsePlace(place), cols: side(cols, 'cols'), rows: side(rows, 'rows'), bytes };
}

/** A recording may claim any size; drawing an enormous one would crash the page. */
function side(value: unknown, name: string): number {
  const cells = count(value, name);
  if (cells < 1 || cells > MAX_TERMINAL_SIDE) throw badRequest(name);
  return cells;
}
