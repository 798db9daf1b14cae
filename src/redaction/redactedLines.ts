import { KeyLines } from './privateKeys.ts';
import { REDACTED, redactSecrets } from './redact.ts';
import { BEGUN } from './secretPatterns.ts';
import { begunAtEnd } from './secretRanges.ts';

/** The rest of an API key that was wrapped at the edge of a narrow screen. */
const REST = /^(?=[A-Za-z_+/=.-]*\d)[\w+/=.-]{6,}|^[\w+/=.-]{16,}/;

/** Redacts a text line by line; a secret may continue on the next line. */
export class RedactedLines {
  readonly #known: readonly string[];
  readonly #keys = new KeyLines();
  #before = '';
  /** Whether the previous line was only a part of a key, so that the key may continue. */
  #isWithin = false;

  /** @param known literal secrets */
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

  /** Length of the rest of a secret that started on the previous line. */
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
