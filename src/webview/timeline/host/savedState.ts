import { SPEEDS } from '../../../timeline/common/playback/player.ts';
import type { ZoomWindow } from '../../../timeline/common/zoom.ts';
import { isMomentFilter, type MomentFilter } from '../moments/momentFilter.ts';
import { FITTING_SCALE, isTextScale } from '../screen/textScale.ts';

/** The state that a reload restores: position and settings, but no contents of the recording. */
export interface SavedState {
  readonly recording: string;
  readonly at: { readonly timeMs: number } | { readonly byteOffset: number } | 'live' | undefined;
  readonly speed: number;
  readonly isIdleSkipped: boolean;
  readonly zoom: ZoomWindow | undefined;
  readonly textScale: number;
  readonly filter: MomentFilter;
  readonly searchText: string;
  /** The instruction that the user has begun to write. */
  readonly instruction: string;
}

const MAX_SEARCH_LENGTH = 1000;

/** Replaces invalid values by defaults. */
export function parseSavedState(value: unknown, recording: string): SavedState {
  const state =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  // The state of another recording does not apply.
  const known = state['recording'] === recording ? state : {};
  const { speed, textScale, filter, searchText, instruction } = known;
  return {
    recording,
    at: parsePlace(known['at']),
    speed: SPEEDS.find((each) => each === speed) ?? 1,
    isIdleSkipped: known['isIdleSkipped'] !== false,
    zoom: parseWindow(known['zoom']),
    textScale: isTextScale(textScale) ? textScale : FITTING_SCALE,
    filter: isMomentFilter(filter) ? filter : 'all',
    searchText: typeof searchText === 'string' ? searchText.slice(0, MAX_SEARCH_LENGTH) : '',
    instruction: typeof instruction === 'string' ? instruction : '',
  };
}

function parsePlace(value: unknown): SavedState['at'] {
  if (value === 'live') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { timeMs, byteOffset } = value as Record<string, unknown>;
  if (isPosition(byteOffset) && Number.isInteger(byteOffset)) return { byteOffset };
  return isPosition(timeMs) ? { timeMs } : undefined;
}

function parseWindow(value: unknown): ZoomWindow | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, to } = value as Record<string, unknown>;
  return isPosition(from) && isPosition(to) && from < to ? { from, to } : undefined;
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
