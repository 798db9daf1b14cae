import { decodeSegment } from '../../recording/format/segment.ts';
import { FILLER } from './byteRanges.ts';
import type { ScrubPlan } from './scrubPlan.ts';

const encoder = new TextEncoder();

/** Removes a text from the segments of a recording, in order. */
export class SegmentScrub {
  readonly #plan: ScrubPlan;
  readonly #text: string;
  #inputOffset = 0;

  constructor(plan: ScrubPlan, text: string) {
    this.#plan = plan;
    this.#text = text;
  }

  /** Changes the segment in place. @returns whether it had the text */
  fill(segment: Uint8Array): boolean {
    let hasChanged = false;
    for (const record of decodeSegment(segment).records) {
      if (record.kind === 'data') {
        hasChanged =
          fillBytes(record.bytes, record.startByteOffset, this.#plan.output) || hasChanged;
      } else if (record.kind === 'input') {
        hasChanged = fillBytes(record.bytes, this.#inputOffset, this.#plan.input) || hasChanged;
        this.#inputOffset += record.bytes.length;
      } else if (record.kind === 'snapshot' && record.label.includes(this.#text)) {
        hasChanged = this.#fillLabel(segment, record.label) || hasChanged;
      }
    }
    return hasChanged;
  }

  /** A decoded label is a copy, so it is found in the segment by its length field and its bytes. */
  #fillLabel(segment: Uint8Array, label: string): boolean {
    const bytes = encoder.encode(label);
    const field = Uint8Array.of(bytes.length & 0xff, bytes.length >> 8, ...bytes);
    const text = encoder.encode(this.#text);
    const safe = new Uint8Array(bytes);
    for (let at = indexOf(safe, text, 0); at >= 0; at = indexOf(safe, text, at))
      safe.fill(FILLER, at, at + text.length);
    let hasChanged = false;
    for (let at = indexOf(segment, field, 0); at >= 0; at = indexOf(segment, field, at + 1)) {
      segment.set(safe, at + 2);
      hasChanged = true;
    }
    return hasChanged;
  }
}

function fillBytes(bytes: Uint8Array, start: number, offsets: ReadonlySet<number>): boolean {
  if (offsets.size === 0) return false;
  let hasChanged = false;
  for (let index = 0; index < bytes.length; index++) {
    if (!offsets.has(start + index)) continue;
    bytes[index] = FILLER;
    hasChanged = true;
  }
  return hasChanged;
}

function indexOf(bytes: Uint8Array, part: Uint8Array, from: number): number {
  for (let at = from; at + part.length <= bytes.length; at++) {
    let length = 0;
    while (length < part.length && bytes[at + length] === part[length]) length++;
    if (length === part.length) return at;
  }
  return -1;
}
