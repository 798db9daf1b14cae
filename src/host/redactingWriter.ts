import { placesOf, secretRanges, type SecretRange } from '../agents/secretRanges.ts';
import { redactText } from '../agents/redactValue.ts';
import type { AhrRecord } from '../recording/records.ts';
import { PrintedText } from './printedText.ts';
import type { LogWriter } from './sessionLog.ts';

/** As long as the longest private keys are. */
const MAX_TAIL_CHARACTERS = 4096;
const STAR = 0x2a;

/**
 * Puts stars in the place of secrets before they are written down, byte for byte: every place in the recording stays where
 * it is, and whoever is at the terminal sees what the program printed. A record is not held back until the next one shows
 * whether a key goes on: what begins like one counts as one.
 */
export class RedactingWriter implements LogWriter {
  readonly #writer: LogWriter;
  readonly #known: readonly string[];
  readonly #printed: SecretStars;
  readonly #typed: SecretStars;

  /** @param known secrets that are known as such */
  constructor(writer: LogWriter, known: readonly string[]) {
    this.#writer = writer;
    this.#known = known;
    this.#printed = new SecretStars(known);
    this.#typed = new SecretStars(known);
  }

  append(record: AhrRecord): void {
    this.#writer.append(this.#redacted(record));
  }

  onDidWriteBlock(listener: Parameters<LogWriter['onDidWriteBlock']>[0]): unknown {
    return this.#writer.onDidWriteBlock(listener);
  }

  #redacted(record: AhrRecord): AhrRecord {
    switch (record.kind) {
      case 'data':
        return { ...record, bytes: this.#printed.over(record.bytes) };
      case 'input':
        return { ...record, bytes: this.#typed.over(record.bytes) };
      case 'snapshot':
        return { ...record, label: redactText(record.label, this.#known) };
      case 'resize':
      case 'mark':
        return record;
    }
  }
}

/** One stream of bytes. */
class SecretStars {
  readonly #text = new PrintedText();
  /** As they look in a text that has a character for each byte. */
  readonly #known: readonly string[];
  #tail = '';

  constructor(known: readonly string[]) {
    this.#known = known.map((secret) => Buffer.from(secret).toString('latin1'));
  }

  over(bytes: Uint8Array): Uint8Array {
    const { text, offsets } = this.#text.push(bytes);
    const whole = this.#tail + text;
    const newFrom = this.#tail.length;
    this.#tail = whole.slice(-MAX_TAIL_CHARACTERS);
    let copy: Uint8Array | undefined;
    for (const [start, end] of [...secretRanges(whole, this.#known), ...this.#wrapped(whole)]) {
      for (let index = Math.max(start, newFrom); index < end; index++) {
        const offset = offsets[index - newFrom]!;
        if (offset < 0) continue;
        copy ??= bytes.slice();
        copy[offset] = STAR;
      }
    }
    return copy ?? bytes;
  }

  /** A known secret may go on in the next line. */
  #wrapped(text: string): SecretRange[] {
    if (this.#known.length === 0 || !text.includes('\n')) return [];
    const places = Array.from(text, (_, index) => index).filter((index) => text[index] !== '\n');
    const joined = text.replaceAll('\n', '');
    return this.#known.flatMap((secret) =>
      placesOf(joined, secret).map(([start, end]): SecretRange => [
        places[start]!,
        places[end - 1]! + 1,
      ]),
    );
  }
}
