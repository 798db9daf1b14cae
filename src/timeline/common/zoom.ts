/** The visible part of the time axis. */
export interface ZoomWindow {
  readonly from: number;
  readonly to: number;
}

/** The smallest window, in milliseconds: recordings have no more detail. */
export const MIN_WINDOW = 100;

/**
 * A window that is shorter than the whole by less than this (ms) counts as whole: zooming causes
 * rounding errors.
 */
const SAME = 0.01;

export function wholeWindow(end: number): ZoomWindow {
  return { from: 0, to: Math.max(end, MIN_WINDOW) };
}

/** Zooms in (factor above 1) or out around a place, which keeps its position on the screen. */
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

/** Moves the window as little as possible so that it contains a place, with some margin. */
export function reveal(window: ZoomWindow, place: number, end: number): ZoomWindow {
  const length = window.to - window.from;
  if (place >= window.from && place <= window.to) return clampWindow(window, end);
  const margin = length / 10;
  const from = place < window.from ? place - margin : place - length + margin;
  return clampWindow({ from, to: from + length }, end);
}

/**
 * Adapts the window to a longer axis: a window that showed everything still does; other windows
 * stay as they are.
 */
export function extend(window: ZoomWindow, oldEnd: number, end: number): ZoomWindow {
  return isWhole(window, oldEnd) ? wholeWindow(end) : clampWindow(window, end);
}

export function isWhole(window: ZoomWindow, end: number): boolean {
  const whole = wholeWindow(end);
  return window.from <= whole.from && window.to >= whole.to;
}

/**
 * Position within the window: 0 at its left edge, 1 at its right; outside of 0 to 1 if the place is
 * not visible.
 */
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

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
