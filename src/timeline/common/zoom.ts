/** The part of an axis that is shown. */
export interface ZoomWindow {
  readonly from: number;
  readonly to: number;
}

/** A tenth of a second across the whole width is more detail than a recording has. */
export const MIN_WINDOW = 100;

/** In milliseconds: what lacks no more than this of the whole is the whole. Zooming in and out again is not exact. */
const SAME = 0.01;

export function wholeWindow(end: number): ZoomWindow {
  return { from: 0, to: Math.max(end, MIN_WINDOW) };
}

/** Enlarges (above 1) or shrinks around a place that stays where it is on the screen. */
export function zoomAround(
  window: ZoomWindow,
  place: number,
  factor: number,
  end: number,
): ZoomWindow {
  const whole = wholeWindow(end);
  const length = clamp((window.to - window.from) / factor, MIN_WINDOW, whole.to);
  const share = (place - window.from) / (window.to - window.from);
  return clampWindow({ from: place - share * length, to: place + (1 - share) * length }, end);
}

/** Moves the window by a share of its length. */
export function pan(window: ZoomWindow, share: number, end: number): ZoomWindow {
  const by = (window.to - window.from) * share;
  return clampWindow({ from: window.from + by, to: window.to + by }, end);
}

/** The window, moved as little as possible so that a place is in it; a little of what surrounds it is shown too. */
export function reveal(window: ZoomWindow, place: number, end: number): ZoomWindow {
  const length = window.to - window.from;
  if (place >= window.from && place <= window.to) return clampWindow(window, end);
  const margin = length / 10;
  const from = place < window.from ? place - margin : place - length + margin;
  return clampWindow({ from, to: from + length }, end);
}

/** The axis has become longer: a window that showed all of it still does, any other stays. */
export function extend(window: ZoomWindow, oldEnd: number, end: number): ZoomWindow {
  return isWhole(window, oldEnd) ? wholeWindow(end) : clampWindow(window, end);
}

export function isWhole(window: ZoomWindow, end: number): boolean {
  const whole = wholeWindow(end);
  return window.from <= whole.from && window.to >= whole.to;
}

/** A share of the width, 0 at the left; outside of 0 to 1 for what is not shown. */
export function shareOf(window: ZoomWindow, place: number): number {
  return (place - window.from) / (window.to - window.from);
}

export function placeOf(window: ZoomWindow, share: number): number {
  return window.from + share * (window.to - window.from);
}

export function clampWindow(window: ZoomWindow, end: number): ZoomWindow {
  const whole = wholeWindow(end);
  const length = clamp(window.to - window.from, MIN_WINDOW, whole.to);
  if (whole.to - length < SAME) return whole;
  const from = clamp(window.from, 0, whole.to - length);
  return { from, to: from + length };
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
