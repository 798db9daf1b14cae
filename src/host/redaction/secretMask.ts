import type { SecretRange } from '../../redaction/secretPatterns.ts';
import { secretRanges } from '../../redaction/secretRanges.ts';
import { PrintedText } from './printedText.ts';
import { typedSecrets } from './typedSecrets.ts';
import { wrappedSecrets } from './wrappedSecrets.ts';

/** How much of the previous text is searched again together with the next piece. */
const MAX_TAIL_CHARACTERS = 4096;
/**
 * If an unfinished secret starts before the tail, its start is kept too: the text before it, such
 * as a name, and its first characters.
 */
const NAME_CHARACTERS = 128;
const HEAD_CHARACTERS = 256;
/** Anything longer is not a secret: private keys have about ten thousand characters at most. */
const MAX_SECRET_CHARACTERS = 128 * 1024;
/** A clipboard sequence. No pattern recognizes a secret in its base64 text: replace all of it. */
const CLIPBOARD = /((?:^|\n)52;[a-z0-7]*;)([A-Za-z0-9+/=]+)/g;
const REST = /^[^\s"'`,;&|)\]}<>]*/;
const STAR = 0x2a;

/** Replaces secrets by stars in one stream of bytes, which may arrive in pieces of any size. */
export class SecretMask {
  readonly #text = new PrintedText();
  /** Known secrets in Latin-1, one character per byte, like the text they are searched in. */
  readonly #known: readonly string[];
  #tail = '';
  /** How many characters of an unfinished secret are no longer in the tail. */
  #droppedCharacters = 0;

  constructor(known: readonly string[]) {
    this.#known = known.map((secret) => Buffer.from(secret).toString('latin1'));
  }

  mask(bytes: Uint8Array): Uint8Array {
    const { text, offsets } = this.#text.push(bytes);
    const whole = this.#tail + text;
    const newFrom = this.#tail.length;
    const ranges: SecretRange[] = [
      ...this.#rest(text, newFrom),
      ...secretRanges(whole, this.#known),
      ...wrappedSecrets(whole, this.#known),
      ...typedSecrets(whole, newFrom),
      ...clipboards(whole),
    ];
    this.#tail = this.#tailOf(whole, ranges);
    let copy: Uint8Array | undefined;
    for (const [start, end] of ranges) {
      for (let index = Math.max(start, newFrom); index < end; index++) {
        const offset = offsets[index - newFrom] ?? -1;
        if (offset < 0) continue;
        // A copy, because clients show the original bytes.
        copy ??= new Uint8Array(bytes);
        copy[offset] = STAR;
      }
    }
    return copy ?? bytes;
  }

  /** Covers the rest of a long secret, which may no longer match because its middle was dropped. */
  #rest(text: string, start: number): SecretRange[] {
    if (this.#droppedCharacters === 0) return [];
    const [rest = ''] = REST.exec(text) ?? [];
    return [[start, start + rest.length]];
  }

  /**
   * The text to search again with the next piece: the end of the text and, before it, the start of
   * an unfinished secret, so that patterns still match.
   */
  #tailOf(whole: string, ranges: readonly SecretRange[]): string {
    if (whole.length <= MAX_TAIL_CHARACTERS) return whole;
    const last = whole.length - MAX_TAIL_CHARACTERS;
    const open = ranges.filter(
      ([start, end]) => end >= whole.length && start < last + NAME_CHARACTERS,
    );
    const start = Math.min(...open.map(([each]) => each));
    const head = whole.slice(Math.max(0, start - NAME_CHARACTERS), start + HEAD_CHARACTERS);
    const dropped = this.#droppedCharacters + last;
    const goesOn = open.length > 0 && dropped <= MAX_SECRET_CHARACTERS;
    this.#droppedCharacters = goesOn ? dropped : 0;
    return goesOn ? head + whole.slice(head.length - MAX_TAIL_CHARACTERS) : whole.slice(last);
  }
}

function clipboards(text: string): SecretRange[] {
  return [...text.matchAll(CLIPBOARD)].map(({ index, 0: all, 1: name = '' }): SecretRange => [
    index + name.length,
    index + all.length,
  ]);
}
