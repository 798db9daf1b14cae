/** The part of brotli-wasm's build for browsers that we use. The bundler finds it; the package itself exports no such path. */
declare module 'brotli-wasm/web' {
  /** Compiles and starts the module; once, before anything else is used. */
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
