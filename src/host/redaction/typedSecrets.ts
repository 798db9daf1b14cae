import { BEGUN, HINT, type SecretRange } from '../../redaction/secretPatterns.ts';
import { linesOf } from './linesOf.ts';

/** The end of a prompt: `>`, `$`, `%`, `#`, `:`, `?`, `»`, `❯` or `›`, in Latin-1. */
const PROMPT = /(?:[>$%#:?]|\xc2\xbb|\xe2\x9d\xaf|\xe2\x80\xba) /;
/**
 * What may follow the typed text: several blanks, a cursor drawn as a block (perhaps only its first
 * bytes), or the end of the line.
 */
const END = / {2}| ?\xe2\x96.| ?(?:\xe2\x96?)?$/g;
/** Fewer characters reveal nothing: `hf_`, for example, is the public prefix of a key. */
const MIN_CHARACTERS = 4;

/**
 * Finds the beginnings of keys in input lines. Many programs redraw their input line at each key, so
 * a key is printed as often as it has characters, each time with an end.
 *
 * @param newFrom the start of the new text; earlier lines are not searched
 */
export function typedSecrets(whole: string, newFrom: number): SecretRange[] {
  const first = whole.lastIndexOf('\n', newFrom - 1) + 1;
  const text = whole.slice(first);
  if (!HINT.test(text)) return [];
  return linesOf(text).flatMap((line) => {
    const prompt = HINT.test(line.text) ? PROMPT.exec(line.text) : undefined;
    if (!prompt) return [];
    const ends = [...line.text.matchAll(END)].map(({ index }) => index);
    return ends.flatMap((end) =>
      begunAt(line.text.slice(0, end), prompt.index, first + line.start),
    );
  });
}

function begunAt(text: string, least: number, start: number): SecretRange[] {
  return BEGUN.flatMap((pattern): SecretRange[] => {
    const index = pattern.exec(text)?.index ?? -1;
    if (index < least || text.length - index < MIN_CHARACTERS) return [];
    return [[start + index, start + text.length]];
  });
}
