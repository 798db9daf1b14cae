/** A position in a recording. */
export interface Place {
  /** Milliseconds since the recording began. */
  readonly timeMs: number;
  /** Bytes of output before this position. */
  readonly byteOffset: number;
  /** The last record that lies entirely before this position; -1 at the start. */
  readonly recordIndex: number;
}

export const START: Place = { timeMs: 0, byteOffset: 0, recordIndex: -1 };

/** The screen at a place. */
export interface ScreenState {
  readonly place: Place;
  readonly cols: number;
  readonly rows: number;
  /** Output that draws the screen on a fresh terminal of this size. */
  readonly bytes: Uint8Array;
}

export interface OutputItem {
  readonly kind: 'output';
  /** The position after this output. */
  readonly place: Place;
  readonly bytes: Uint8Array;
}

export interface StateItem extends ScreenState {
  readonly kind: 'state';
}

/** The next thing to play: output, or the whole screen after a resize. */
export type PlayItem = OutputItem | StateItem;

/** A stretch of a recording, fetched at once. */
export interface PlaybackChunk {
  readonly items: readonly PlayItem[];
  /** Whether these items reach the end of what has been recorded so far. */
  readonly isEnd: boolean;
  /** Length of the recording so far, in milliseconds. */
  readonly endMs: number;
}

/**
 * A position to show:
 * - `timeMs`: everything printed up to that time;
 * - `byteOffset`: exactly that many bytes of output;
 * - `stepFrom`: the screen one output before or after that byte offset;
 * - `recordIndex` with `text`: the record that put this text on the screen, even if only briefly;
 * - `end`: the end of the recording.
 */
export type SeekTarget =
  | { readonly timeMs: number }
  | { readonly byteOffset: number }
  | { readonly stepFrom: number; readonly direction: 1 | -1 }
  | { readonly recordIndex: number; readonly text: string }
  | { readonly end: true };

/** Provides a player with the contents of a recording. */
export interface PlaybackSource {
  frame(target: SeekTarget): Promise<ScreenState>;
  /** Returns what follows a place: at least one item unless the place is the end. */
  range(after: Place): Promise<PlaybackChunk>;
}

/** The terminal that a player draws on. Promises resolve when it has processed its input. */
export interface PlaybackScreen {
  reset(state: ScreenState): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Called when no output follows for now: shows the output of an unfinished synchronized update.
   */
  rest(): Promise<void>;
}
