import type { TerminalPlace } from '../../sessions/common/recorderProtocol.ts';

/** What the recorder's thread tells the terminal model's thread. */
export type ToModel =
  | {
      readonly kind: 'records';
      readonly firstIndex: number;
      /** The records, encoded as in a recording: one buffer, which can be handed over without being copied. */
      readonly segment: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: 'state'; readonly id: number; readonly historyLines: number }
  | { readonly kind: 'finish' };

export type FromModel =
  | { readonly kind: 'taken'; readonly endIndex: number }
  /** How the model would answer a question in the record with this index. */
  | { readonly kind: 'reply'; readonly index: number; readonly bytes: Uint8Array }
  | {
      readonly kind: 'state';
      readonly id: number;
      /** Index of the first record that the state does not include. */
      readonly endIndex: number;
      readonly place: TerminalPlace;
      readonly state: Uint8Array;
    }
  | { readonly kind: 'finished' };

export interface ModelWorkerData {
  readonly cols: number;
  readonly rows: number;
  /** Where keyframes go; none are kept without it. */
  readonly keyframesFile?: string;
}
