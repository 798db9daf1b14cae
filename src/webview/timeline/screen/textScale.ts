/**
 * Factors for the text of the player; 1 is the size at which the whole screen fits, or the smallest
 * readable one.
 */
const TEXT_SCALES = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;

export const FITTING_SCALE = 1;

export function isTextScale(value: unknown): value is number {
  return (TEXT_SCALES as readonly unknown[]).includes(value);
}

/** The next smaller or larger factor; the same at either end. */
export function nextTextScale(scale: number, direction: 1 | -1): number {
  const index = TEXT_SCALES.findIndex((each) => each === scale);
  return TEXT_SCALES[index + direction] ?? scale;
}
