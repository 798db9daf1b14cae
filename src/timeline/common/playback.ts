/** Where in a recording something is. */
export interface Place {
  /** Milliseconds since the recording began. */
  readonly timeMs: number;
  /** Bytes of output up to there. */
  readonly byteOffset: number;
  /** The last record that is wholly part of it; -1 at the very start. */
  readonly recordIndex: number;
}

/** The terminal at a place, for one that forgets all it showed. */
export interface ShownState {
  readonly place: Place;
  readonly cols: number;
  readonly rows: number;
  readonly stream: Uint8Array;
}

/** What happened next: more output, or a state in its place where the terminal was resized. */
export type PlayItem =
  | { readonly kind: 'output'; readonly place: Place; readonly bytes: Uint8Array }
  | ({ readonly kind: 'state' } & ShownState);

export interface PlayRange {
  readonly items: readonly PlayItem[];
  /** Nothing more has been recorded yet. */
  readonly isEnd: boolean;
  /** Of all that has been recorded. */
  readonly endMs: number;
}

/**
 * What to show:
 * - `timeMs`: all that had happened at that time;
 * - `byteOffset`: so many bytes and no more;
 * - `stepFrom`: one output further, or back, than the screen after so many bytes;
 * - `recordIndex` with `text`: the record in which that text was on the screen, if only in passing;
 * - `end`: the last there is.
 */
export type SeekTarget =
  | { readonly timeMs: number }
  | { readonly byteOffset: number }
  | { readonly stepFrom: number; readonly direction: 1 | -1 }
  | { readonly recordIndex: number; readonly text: string }
  | { readonly end: true };

/** Where a player gets what it shows. */
export interface PlaybackSource {
  frame(target: SeekTarget): Promise<ShownState>;
  /** What came after a place: at least one item unless it is the end. */
  range(after: Place): Promise<PlayRange>;
}

/** Where a player shows it. All resolve when the terminal has taken it in. */
export interface PlaybackScreen {
  reset(state: ShownState): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  /** Nothing follows for now: what was to be shown only with what comes next is shown. */
  rest(): Promise<void>;
}

export const START: Place = { timeMs: 0, byteOffset: 0, recordIndex: -1 };
