/** Where a block is and what its header says about it; enough to find any moment without reading payloads. */
export interface BlockInfo {
  readonly fileOffset: number;
  /** What really lies between the start of the block and its payload, whatever the header declares. */
  readonly headerLength: number;
  readonly payloadOffset: number;
  readonly compressedLength: number;
  readonly uncompressedLength: number;
  readonly recordCount: number;
  /** How many records the blocks before it hold. */
  readonly firstRecordIndex: number;
  /** How many bytes of output came before this block. */
  readonly startByteOffset: number;
  /** Time of the first record. */
  readonly startTsNs: bigint;
  readonly isLast: boolean;
}

/** First byte of the file after the block. */
export function endOfBlock(block: BlockInfo): number {
  return block.payloadOffset + block.compressedLength;
}
