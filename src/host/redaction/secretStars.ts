import { secretRanges, type SecretRange } from '../../redaction/secretRanges.ts';
import { PrintedText } from './printedText.ts';
import { wrappedSecrets } from './wrappedSecrets.ts';

/** So much of what was before is looked through again with what comes. */
const MAX_TAIL_CHARACTERS = 4096;
/** Of a secret that is longer and goes on: enough to know it by, with its name before it. */
const NAME_CHARACTERS = 128;
const HEAD_CHARACTERS = 256;
/** What goes on for longer is no secret. Private keys are a few thousand characters, some of them tens of thousands. */
const MAX_SECRET_CHARACTERS = 128 * 1024;
/** Put into the clipboard: not to be seen on the screen, and coded so that nobody knows it by its looks. */
const CLIPBOARD = /((?:^|\n)52;[a-z0-7]*;)([A-Za-z0-9+/=]+)/g;
const REST = /^[^\s"'`,;&|)\]}<>]*/;
const STAR = 0x2a;

/** Puts stars in the place of secrets in one stream of bytes, which may come in pieces of any size. */
export class SecretStars {
  readonly #text = new PrintedText();
  /** As they look in a text that has a character for each byte. */
  readonly #known: readonly string[];
  #tail = '';
  /** How much of a secret that goes on is not in the tail any more. */
  #droppedCharacters = 0;

  constructor(known: readonly string[]) {
    this.#known = known.map((secret) => Buffer.from(secret).toString('latin1'));
  }

  over(bytes: Uint8Array): Uint8Array {
    const { text, offsets } = this.#text.push(bytes);
    const whole = this.#tail + text;
    const newFrom = this.#tail.length;
    const ranges: SecretRange[] = [
      ...this.#rest(text, newFrom),
      ...secretRanges(whole, this.#known),
      ...wrappedSecrets(whole, this.#known),
      ...clipboards(whole),
    ];
    this.#tail = this.#tailOf(whole, ranges);
    let copy: Uint8Array | undefined;
    for (const [start, end] of ranges) {
      for (let index = Math.max(start, newFrom); index < end; index++) {
        const offset = offsets[index - newFrom]!;
        if (offset < 0) continue;
        // A buffer's own slice would be the same bytes, which others show.
        copy ??= new Uint8Array(bytes);
        copy[offset] = STAR;
      }
    }
    return copy ?? bytes;
  }

  /** Of a secret that has lost its middle nobody may know any more what it is, once it is at its end. */
  #rest(text: string, start: number): SecretRange[] {
    if (this.#droppedCharacters === 0) return [];
    return [[start, start + REST.exec(text)![0].length]];
  }

  /** The end of a text; of a secret that goes on also its beginning, for by its middle nobody knows it. */
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
