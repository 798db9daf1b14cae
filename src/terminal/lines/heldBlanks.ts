interface HeldLine {
  readonly text: string;
  readonly lastWriteByte: number;
  readonly styled: string | undefined;
}

/**
 * Holds blank lines until another line follows. Only counts equal lines, so that millions of them
 * take no memory.
 */
export class HeldBlanks {
  #runs: { readonly line: HeldLine; count: number }[] = [];

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  hold(line: HeldLine): void {
    const last = this.#runs.at(-1);
    const isEqual =
      last?.line.text === line.text &&
      last.line.lastWriteByte === line.lastWriteByte &&
      last.line.styled === line.styled;
    if (isEqual) last.count++;
    else this.#runs.push({ line, count: 1 });
  }

  *release(): Generator<HeldLine, void, void> {
    const runs = this.#runs;
    this.#runs = [];
    for (const { line, count } of runs) for (let repeat = 0; repeat < count; repeat++) yield line;
  }
}
