import { ByteMatcher, VisibleBytes } from './byteMatcher.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { ClipboardMatcher, WrappedMatcher } from './screenMatchers.ts';

/** `*` replaces each byte of a removed text, so that all byte offsets stay the same. */
const FILLER = 0x2a;

/** The offsets of all bytes of a text in a recording's output and input. */
export interface ScrubPlan {
  readonly output: ReadonlySet<number>;
  readonly input: ReadonlySet<number>;
  readonly matches: number;
}

/**
 * Finds a text in a recording's output and input: plain, with escape sequences, line ends and other
 * controls between its characters, wrapped in a frame, and in clipboard contents.
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
  const wrappedOutput = new WrappedMatcher(text);
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
  for await (const record of records) {
    if (record.kind === 'data') {
      for (const [index, byte] of record.bytes.entries()) {
        const offset = record.startByteOffset + index;
        found(rawOutput.push(byte, offset), output);
        found(clipboard.push(byte, offset), output);
        const isText = screen.isText(byte);
        if (isText) found(shownOutput.push(byte, offset), output);
        if (isText || byte === 0x0a || byte === 0x0d) {
          for (const each of wrappedOutput.push(byte, offset)) found(each, output);
        }
      }
    } else if (record.kind === 'input') {
      for (const byte of record.bytes) {
        if (byte >= 0x20) found(typed.push(byte, inputOffset), input);
        if (keys.isText(byte)) found(shownInput.push(byte, inputOffset), input);
        inputOffset++;
      }
    }
  }
  return { output, input, matches };
}

/** Removes the text from the records, including labels of snapshots. */
export async function* scrubbedRecords(
  records: AsyncIterable<AhrRecord>,
  plan: ScrubPlan,
  text: string,
): AsyncGenerator<AhrRecord, void, void> {
  let inputOffset = 0;
  for await (const record of records) {
    if (record.kind === 'data') {
      yield { ...record, bytes: blanked(record.bytes, record.startByteOffset, plan.output) };
    } else if (record.kind === 'input') {
      yield { ...record, bytes: blanked(record.bytes, inputOffset, plan.input) };
      inputOffset += record.bytes.length;
    } else if (record.kind === 'snapshot') {
      yield { ...record, label: record.label.replaceAll(text, '*'.repeat(text.length)) };
    } else yield record;
  }
}

function blanked(bytes: Uint8Array, start: number, offsets: ReadonlySet<number>): Uint8Array {
  if (offsets.size === 0) return bytes;
  let copy: Uint8Array | undefined;
  for (let index = 0; index < bytes.length; index++) {
    if (!offsets.has(start + index)) continue;
    // Doesn't use `slice`, whose result shares memory when `bytes` is a Buffer.
    copy ??= new Uint8Array(bytes);
    copy[index] = FILLER;
  }
  return copy ?? bytes;
}
