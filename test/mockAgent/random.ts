/**
 * Seeded random numbers: the same seed gives the same numbers on every machine. Not for secrets.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 32 random bits (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** An integer from 0 to `end`, exclusive. */
  below(end: number): number {
    return Math.floor((this.next() / 2 ** 32) * end);
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  fill(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 4) {
      const word = this.next();
      for (let byte = 0; byte < 4 && at + byte < bytes.length; byte++) {
        bytes[at + byte] = (word >>> (byte * 8)) & 0xff;
      }
    }
  }

  /** A version 4 UUID. */
  uuid(): string {
    const bytes = new Uint8Array(16);
    this.fill(bytes);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = Buffer.from(bytes).toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  /** `prefix` and 24 letters or digits, like providers' IDs of messages and tool calls. */
  providerId(prefix: string): string {
    const alphabet = [...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ123456789'];
    const letters = Array.from({ length: 24 }, () => alphabet[this.below(alphabet.length)]);
    return `${prefix}_${letters.join('')}`;
  }
}
