/** A set of the most recent texts. */
export class RecentTexts {
  readonly #texts = new Set<string>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  add(text: string): void {
    this.#texts.delete(text);
    this.#texts.add(text);
    const [oldest] = this.#texts;
    if (this.#texts.size > this.#size && oldest !== undefined) this.#texts.delete(oldest);
  }
}
