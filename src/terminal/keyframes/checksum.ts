const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 as in zip files. Detects damage by a disk or an incomplete write, but no forgery. */
export function crc32(bytes: Uint8Array): number {
  // The `!`s are safe: both indexes are within bounds. A check would slow down this hot path.
  let crc = 0xffffffff;
  for (let index = 0; index < bytes.length; index++) {
    crc = TABLE[(crc ^ bytes[index]!) & 0xff]! ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
