/** Place and header of a block; enough to find a moment without reading payloads. */
export interface BlockInfo {
  readonly fileOffset: number;
  /**
   * The actual distance from the block's start to its payload, which may differ from what the
   * header says.
   */
  readonly headerLength: number;
  readonly payloadOffset: number;
  readonly compressedLength: number;
  readonly uncompressedLength: number;
  readonly recordCount: number;
  /** Number of records in the blocks before it. */
  readonly firstRecordIndex: number;
  /** Bytes of output before this block. */
  readonly startByteOffset: number;
  /** Time of the first record. */
  readonly startTsNs: bigint;
  readonly isLast: boolean;
}

/** File offset after the block. */
export function endOfBlock(block: BlockInfo): number {
  return block.payloadOffset + block.compressedLength;
}
