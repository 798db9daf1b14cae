import { ByteMatcher, VisibleBytes } from './byteMatcher.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { ClipboardMatcher, wrappedBytes, WrappedMatcher } from './screenMatchers.ts';
import type { MatchedPrefix } from './prefixMatcher.ts';
import { TypedText } from './typedText.ts';

/** The offsets of all bytes of a text in a recording's output and input. */
export interface ScrubPlan {
  readonly output: ReadonlySet<number>;
  readonly input: ReadonlySet<number>;
  readonly matches: number;
}

/**
 * Finds a text in a recording's output and input: plain, with escape sequences, line ends and other
 * controls between its characters, wrapped in a frame, and in clipboard contents. Also finds its
 * beginnings that a program drew while the text was typed.
 */
export async function planScrub(
  records: AsyncIterable<AhrRecord>,
  text: string,
): Promise<ScrubPlan> {
  const output = new Set<number>();
  const input = new Set<number>();
  const whole = new TextEncoder().encode(text);
  const visible = whole.filter((byte) => byte >= 0x20);
  const rawOutput = new ByteMatcher(whole);
  const shownOutput = new ByteMatcher(visible);
  const drawn = new TypedText(visible);
  const drawnWrapped = new TypedText(wrappedBytes(text));
  /** The latest four bytes. */
  let before = 0;
  const wrappedOutput = new WrappedMatcher(text, (byte, offset) =>
    foundTyped(drawnWrapped.push(byte, offset, before)),
  );
  const clipboard = new ClipboardMatcher(text);
  const typed = new ByteMatcher(visible);
  const shownInput = new ByteMatcher(visible);
  const screen = new VisibleBytes();
  const keys = new VisibleBytes();
  let inputOffset = 0;
  let matches = 0;
  const found = (offsets: readonly number[] | undefined, into: Set<number>): void => {
    if (!offsets) return;
    if (!offsets.every((offset) => into.has(offset))) matches++;
    for (const offset of offsets) into.add(offset);
  };
  const foundTyped = (prefixes: readonly MatchedPrefix[]): void => {
    for (const { offsets } of prefixes) found(offsets, output);
  };
  for await (const record of records) {
    if (record.kind === 'data') {
      for (const [index, byte] of record.bytes.entries()) {
        const offset = record.startByteOffset + index;
        found(rawOutput.push(byte, offset), output);
        found(clipboard.push(byte, offset), output);
        const isText = screen.isText(byte);
        if (isText) {
          found(shownOutput.push(byte, offset), output);
          foundTyped(drawn.push(byte, offset, before));
        }
        if (isText || byte === 0x0a || byte === 0x0d) {
          for (const each of wrappedOutput.push(byte, offset)) found(each, output);
        }
        before = ((before << 8) | byte) >>> 0;
      }
    } else if (record.kind === 'input') {
      for (const byte of record.bytes) {
        if (byte >= 0x20) found(typed.push(byte, inputOffset), input);
        if (keys.isText(byte)) found(shownInput.push(byte, inputOffset), input);
        inputOffset++;
      }
    }
  }
  for (const typed of [drawn, drawnWrapped]) foundTyped(typed.end());
  return { output, input, matches };
}
