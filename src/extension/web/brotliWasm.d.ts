/**
 * The part of brotli-wasm's browser build that we use. esbuild resolves it by alias, since the
 * package does not export this path.
 */
declare module 'brotli-wasm/web' {
  /** Compiles and starts the module. Call this once, before anything else. */
  export default function init(module: Uint8Array): Promise<unknown>;

  export class DecompressStream {
    decompress(input: Uint8Array, outputSize: number): BrotliStreamResult;
    free(): void;
  }

  export class BrotliStreamResult {
    readonly buf: Uint8Array;
    readonly code: number;
    readonly input_offset: number;
    free(): void;
  }
}
