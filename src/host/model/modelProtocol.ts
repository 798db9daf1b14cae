import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import type { None } from '../../rpc/channel.ts';
import type { TerminalPlace } from '../../sessions/common/recorderProtocol.ts';

/** Messages to the terminal model's thread. */
export interface ModelThreadProtocol {
  readonly requests: {
    /** The reply's binary is the state. */
    readonly state: { readonly params: StateParams; readonly result: StateBody };
    /** Completes the keyframes. */
    readonly finish: { readonly params: null; readonly result: null };
  };
  readonly events: {
    /** The binary is a segment: records encoded as in a recording. Confirmed by `taken`. */
    readonly records: RecordsBody;
  };
}

/** Events that the thread sends. */
export interface ModelClientProtocol {
  readonly requests: None;
  readonly events: {
    readonly taken: TakenBody;
    /** The binary is the model's answer to a query of the program. */
    readonly reply: ReplyBody;
  };
}

export interface StateParams {
  readonly historyLines: number;
}

export interface StateBody {
  /** Index of the first record that the state does not include. */
  readonly endIndex: number;
  readonly place: TerminalPlace;
}

export interface RecordsBody {
  readonly firstIndex: number;
}

export interface TakenBody {
  readonly endIndex: number;
}

export interface ReplyBody {
  /** The record that contains the query. */
  readonly index: number;
}

export interface ModelWorkerData {
  readonly cols: number;
  readonly rows: number;
  readonly unicodeVersion: UnicodeVersion;
  /** Maximum number of scrollback lines to keep for attaching clients. */
  readonly scrollbackLines: number;
  /** File for the keyframes; without it, none are written. */
  readonly keyframesFile?: string;
}
