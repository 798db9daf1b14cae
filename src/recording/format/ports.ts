/** Where a recording is read from: a file, a buffer, a file that still grows. */
export interface ByteSource {
  /** The length right now. */
  size(): Promise<number>;
  /** Up to `length` bytes from `offset`; shorter only at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Where a recording is written to. One writer, append only. */
export interface ByteSink {
  /** Appends all of `bytes`, or fails. After a failure the caller truncates to the last length it knows to be good. */
  append(bytes: Uint8Array): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Returns when everything appended so far is on the disk. */
  sync(): Promise<void>;
}

/** Brotli, as a port: `node:zlib` on Node, wasm in a browser. */
export interface Compressor {
  /** @param quality 0 (fastest) to 11 (smallest) */
  compress(bytes: Uint8Array, quality: number): Promise<Uint8Array>;
}

export interface Decompressor {
  /** Fails when the stream is damaged or expands beyond `maxLength`. */
  decompress(bytes: Uint8Array, maxLength: number): Promise<Uint8Array>;
}
