import { KeyLines } from './privateKeys.ts';
import { REDACTED, redactSecrets } from './redact.ts';
import { BEGUN } from './secretPatterns.ts';
import { begunAtEnd } from './secretRanges.ts';

/** What a screen that is too narrow for a key has in its next line. */
const REST = /^(?=[A-Za-z_+/=.-]*\d)[\w+/=.-]{6,}|^[\w+/=.-]{16,}/;

/** Takes secrets out of the lines of a text, one after the other: a secret may go on in the next. */
export class RedactedLines {
  readonly #known: readonly string[];
  readonly #keys = new KeyLines();
  #before = '';
  /** The line before was nothing but a part of a key. */
  #isWithin = false;

  /** @param known secrets that are known as such */
  constructor(known: readonly string[]) {
    this.#known = known;
  }

  next(line: string): string {
    const before = this.#before;
    this.#before = line;
    const [key] = this.#keys.take(line);
    if (key) {
      const around = [line.slice(0, key[0]), line.slice(key[1])].map((text) => this.#safe(text));
      return around.join(REDACTED);
    }
    const rest = this.#restOf(before, line);
    this.#isWithin = rest > 0 && rest === line.length;
    return (rest > 0 ? REDACTED : '') + this.#safe(line.slice(rest));
  }

  #safe(text: string): string {
    const cut = this.#known.flatMap((secret) => begunAtEnd(text, secret).map(([start]) => start));
    if (cut.length === 0) return redactSecrets(text, this.#known);
    return redactSecrets(text.slice(0, Math.min(...cut)), this.#known) + REDACTED;
  }

  /** How much of a line is the rest of a secret that began in the one before. */
  #restOf(before: string, line: string): number {
    const known = this.#known.map((secret) => {
      const begun = begunAtEnd(before, secret)[0];
      const rest = begun ? secret.slice(begun[1] - begun[0]) : '';
      return rest !== '' && (line.startsWith(rest) || rest.startsWith(line)) ? rest.length : 0;
    });
    const hasBegun = this.#isWithin || BEGUN.some((pattern) => pattern.test(before));
    const token = hasBegun ? (REST.exec(line)?.[0].length ?? 0) : 0;
    return Math.min(line.length, Math.max(token, ...known));
  }
}
