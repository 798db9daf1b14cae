import type { Decompressor } from '../../recording/format/ports.ts';

/** Result codes of brotli-wasm. */
const RESULT = { success: 1, needsMoreInput: 2, needsMoreOutput: 3 } as const;

/** Limit of input and output bytes per step; a step takes a few milliseconds at most. */
const STEP_BYTES = 64 * 1024;

/**
 * First seven bits of a stream whose window is up to 1 GiB, all of which the decoder would
 * allocate.
 */
const LARGE_WINDOW = 0x11;

interface StepResult {
  readonly buf: Uint8Array;
  readonly code: number;
  readonly input_offset: number;
  free(): void;
}

/** A stream of brotli-wasm. */
export interface WasmStream {
  decompress(input: Uint8Array, outputSize: number): StepResult;
  free(): void;
}

export interface WasmBrotliOptions {
  /** Loads the module if needed and creates a stream. */
  readonly newStream: () => Promise<WasmStream>;
  /** Called between steps; returns a promise when it is time to yield. */
  readonly breathe: () => Promise<void> | undefined;
}

/**
 * Brotli decoder for browsers. Works in steps, yields between them, and fails if the output is too
 * long.
 */
export class WasmBrotli implements Decompressor {
  readonly #options: WasmBrotliOptions;

  constructor(options: WasmBrotliOptions) {
    this.#options = options;
  }

  async decompress(bytes: Uint8Array, maxLength: number): Promise<Uint8Array> {
    if (((bytes[0] ?? 0) & 0x7f) === LARGE_WINDOW) throw new Error('its window is too large');
    const stream = await this.#options.newStream();
    try {
      return await this.#run(stream, bytes, maxLength);
    } finally {
      stream.free();
    }
  }

  async #run(stream: WasmStream, bytes: Uint8Array, maxLength: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let taken = 0;
    let made = 0;
    for (;;) {
      const input = bytes.subarray(taken, taken + STEP_BYTES);
      // Ask for one byte more than allowed, to detect output that is too long.
      const room = Math.min(STEP_BYTES, maxLength + 1 - made);
      const { output, code, consumed } = step(stream, input, room);
      taken += consumed;
      made += output.length;
      if (made > maxLength) throw new Error('its content is longer than the limit');
      if (output.length > 0) pieces.push(output);
      if (code === RESULT.success) return joined(pieces, made);
      if (code === RESULT.needsMoreInput && taken >= bytes.length)
        throw new Error('its end is missing');
      if (consumed === 0 && output.length === 0) throw new Error('the decoder makes no progress');
      await this.#options.breathe();
    }
  }
}

function step(stream: WasmStream, input: Uint8Array, room: number) {
  let result: StepResult;
  try {
    result = stream.decompress(input, room);
  } catch (error) {
    // The module throws strings and numbers instead of errors.
    throw error instanceof Error ? error : new Error(String(error));
  }
  try {
    return { output: result.buf, code: result.code, consumed: result.input_offset };
  } finally {
    result.free();
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = pieces;
  if (first && pieces.length === 1) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
