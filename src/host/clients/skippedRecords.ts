/** Which records a client was never shown, for as long as that matters to the model. */
export class SkippedRecords {
  #ranges: { readonly from: number; readonly to: number }[] = [];

  /**
   * @param to the first that is shown again
   * @param modelIndex what is before it the model has dealt with, and nobody asks about
   */
  add(from: number, to: number, modelIndex: number): void {
    this.#ranges = [...this.#ranges.filter((range) => range.to > modelIndex), { from, to }];
  }

  has(index: number): boolean {
    return this.#ranges.some(({ from, to }) => index >= from && index < to);
  }
}
