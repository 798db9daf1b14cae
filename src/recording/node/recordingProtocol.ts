import type { None } from '../../rpc/channel.ts';
import type {
  ReadFailure,
  RecordedItems,
  RecordedState,
} from '../../terminal/lines/recordingContent.ts';

/** Requests to the thread that reads a recording. */
export interface RecordingThreadProtocol {
  readonly requests: {
    /** The binary part is the file's new content, if the thread does not read the file itself. */
    readonly refresh: { readonly params: RefreshParams; readonly result: null };
    readonly items: { readonly params: ItemsParams; readonly result: RecordedItems };
  };
  readonly events: None;
}

/** Events that the thread sends. */
export interface RecordingClientProtocol {
  readonly requests: None;
  readonly events: { readonly state: RecordedState };
}

export interface RefreshParams {
  /** Why the client could not read the file. */
  readonly failure?: ReadFailure;
}

export interface ItemsParams {
  readonly from: number;
  readonly to: number;
}

export interface RecordingThreadData {
  /** Undefined if the client reads the file and sends its bytes to the thread. */
  readonly file: string | undefined;
}
