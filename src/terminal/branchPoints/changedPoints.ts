import type { BranchPointBatches } from './branchPoints.ts';

/** Changes all texts, for example to redact them. */
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
      // The colors belong to the columns of the old text.
      return text === point.text ? point : { ...point, text, styled: undefined };
    });
  }
}
