/** The records that a client has skipped and that the model has not processed yet. */
export class SkippedRecords {
  #ranges: { readonly from: number; readonly to: number }[] = [];

  /**
   * @param to the first record that the client receives again
   * @param modelIndex index of the model's next record; older ranges are dropped
   */
  add(from: number, to: number, modelIndex: number): void {
    this.#ranges = [...this.#ranges.filter((range) => range.to > modelIndex), { from, to }];
  }

  has(index: number): boolean {
    return this.#ranges.some(({ from, to }) => index >= from && index < to);
  }
}
