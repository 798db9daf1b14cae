import type { BranchPointBatches } from './branchPoints.ts';

/** The same, with every text changed by a function: for what leaves the machine. */
export async function* withTexts(
  points: BranchPointBatches,
  change: { line(text: string): string; label(text: string): string },
): BranchPointBatches {
  for (;;) {
    const result = await points.next();
    if (result.done === true) return result.value;
    yield result.value.map((point) => {
      if (point.kind === 'snapshot') return { ...point, label: change.label(point.label) };
      const text = change.line(point.text);
      // Colours are told by their columns: those of a line that is another now mean nothing.
      return text === point.text ? point : { ...point, text, styled: undefined };
    });
  }
}
