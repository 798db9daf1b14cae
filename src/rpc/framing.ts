import { UserError } from '../base/errors.ts';

/**
 * A message on a byte stream: `u32 length · u32 jsonLength · JSON · binary`, little-endian.
 * `length` counts everything after itself.
 */
export interface Frame {
  readonly json: unknown;
  readonly binary: Uint8Array | undefined;
}

/** Limits what a hostile peer can make us buffer; a screen with its scrollback takes a few MiB. */
export const MAX_FRAME_BYTES = 32 * 1024 * 1024;

const LENGTH_BYTES = 4;
const HEAD_BYTES = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the parts of a frame in order; `binary` is not copied. */
export function encodeFrame(json: unknown, binary?: Uint8Array): Uint8Array[] {
  const text = encoder.encode(JSON.stringify(json));
  const length = HEAD_BYTES - LENGTH_BYTES + text.length + (binary?.length ?? 0);
  const head = new Uint8Array(HEAD_BYTES + text.length);
  const view = new DataView(head.buffer);
  view.setUint32(0, length, true);
  view.setUint32(LENGTH_BYTES, text.length, true);
  head.set(text, HEAD_BYTES);
  return binary?.length ? [head, binary] : [head];
}

/**
 * Splits a byte stream into frames. Throws a {@link UserError} if the stream violates the protocol.
 */
export class FrameDecoder {
  #chunks: Uint8Array[] = [];
  #buffered = 0;

  /** Returns the frames that `chunk` completes. */
  push(chunk: Uint8Array): Frame[] {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      const frame = this.#next();
      if (frame === undefined) return frames;
      frames.push(frame);
    }
  }

  #next(): Frame | undefined {
    if (this.#buffered < LENGTH_BYTES) return undefined;
    const length = readU32(this.#peek(LENGTH_BYTES), 0);
    if (length > MAX_FRAME_BYTES || length < HEAD_BYTES - LENGTH_BYTES) {
      throw new UserError(
        'bad-frame',
        `Can't read the message: its length of ${length} bytes is out of range.`,
      );
    }
    const whole = LENGTH_BYTES + length;
    if (this.#buffered < whole) return undefined;
    const bytes = this.#take(whole);
    const jsonLength = readU32(bytes, LENGTH_BYTES);
    if (HEAD_BYTES + jsonLength > whole) {
      throw new UserError('bad-frame', "Can't read the message: it is shorter than its JSON part.");
    }
    const json = parse(bytes.subarray(HEAD_BYTES, HEAD_BYTES + jsonLength));
    const hasBinary = HEAD_BYTES + jsonLength < whole;
    return { json, binary: hasBinary ? bytes.subarray(HEAD_BYTES + jsonLength) : undefined };
  }

  /** Returns the first `length` buffered bytes without removing them. */
  #peek(length: number): Uint8Array {
    const first = this.#chunks[0];
    if (first && first.length >= length) return first;
    const bytes = this.#take(length);
    this.#chunks.unshift(bytes);
    this.#buffered += length;
    return bytes;
  }

  #take(length: number): Uint8Array {
    const first = this.#chunks[0];
    if (first && first.length >= length) {
      if (first.length === length) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(length);
      this.#buffered -= length;
      return first.subarray(0, length);
    }
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      // `!`: the caller has checked that enough bytes are buffered.
      const chunk = this.#chunks[0]!;
      const part = chunk.subarray(0, length - filled);
      bytes.set(part, filled);
      filled += part.length;
      if (part.length === chunk.length) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(part.length);
    }
    this.#buffered -= length;
    return bytes;
  }
}

function readU32(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw new UserError('bad-frame', "Can't read the message: it is not valid JSON.", {
      cause: error,
    });
  }
}
