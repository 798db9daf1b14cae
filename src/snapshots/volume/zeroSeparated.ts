import { pathFromBytes } from '../common/pathBytes.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Texts that each end with a zero byte, such as the names that `find` prints. What follows the last one is left out. */
export function zeroSeparated(bytes: Uint8Array): string[] {
  try {
    return strict.decode(bytes).split('\0').slice(0, -1);
  } catch {
    return onePieceAtATime(bytes);
  }
}

function onePieceAtATime(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    texts.push(pathFromBytes(bytes.subarray(start, end)));
    start = end + 1;
  }
  return texts;
}
