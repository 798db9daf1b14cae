/** The source of a recording, such as a buffer or a file, which may still grow. */
export interface ByteSource {
  /** The current length. */
  size(): Promise<number>;
  /** Up to `length` bytes from `offset`; shorter only at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** The target of a recording. It has one writer, which only appends. */
export interface ByteSink {
  /** Appends all bytes or fails. After a failure, the caller truncates to the last good length. */
  append(bytes: Uint8Array): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Returns when all appended bytes are on the disk. */
  sync(): Promise<void>;
}

/** Brotli: implemented by `node:zlib` on Node and by WebAssembly in a browser. */
export interface Compressor {
  /** @param quality 0 (fastest) to 11 (smallest) */
  compress(bytes: Uint8Array, quality: number): Promise<Uint8Array>;
}

export interface Decompressor {
  /** Fails if the stream is damaged or expands beyond `maxLength`. */
  decompress(bytes: Uint8Array, maxLength: number): Promise<Uint8Array>;
}
