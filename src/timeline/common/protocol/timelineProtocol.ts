import type { TextBundle } from '../../../base/textBundle.ts';
import type { UnicodeVersion } from '../../../base/unicodeVersion.ts';
import type { PageMoment } from '../moments/moment.ts';
import type { Place, SeekTarget } from '../playback/playback.ts';
import type { Gap } from '../recordIndex.ts';
import type { SearchHits, SearchRequest } from '../search/searchHits.ts';
import type { TranscriptUpdate } from '../transcript/transcript.ts';
import type { EncodedChunk, EncodedState } from './playbackCodec.ts';

/**
 * The messages between the timeline's page, the extension, and the thread that reads the recording.
 * The extension passes the page's {@link DataRequests} on to the thread. Times are milliseconds
 * since the recording began.
 */
export const WEBVIEW_PROTOCOL_VERSION = 1;

/** Requests about the contents of the recording; the thread checks their parameters. */
export type DataRequests = {
  frame: { params: SeekTarget; result: EncodedState };
  range: { params: Place; result: EncodedChunk };
  /** Bytes of output between each pair of neighbouring edges. */
  activity: { params: { edges: readonly number[] }; result: { counts: readonly number[] } };
  /** Replies when the search has ended; the matches arrive as `hits` events. */
  search: { params: SearchRequest; result: Record<string, never> };
};

export type DataEvents = {
  extent: Extent;
  moments: { readonly moments: readonly PageMoment[] };
  hits: SearchHits;
  /**
   * Why the recording can't be read at the moment; null once it can be read again. `needsReload`: it
   * can't before the window is reloaded.
   */
  trouble: { readonly message: string | null; readonly needsReload?: boolean };
  /** Another recording took the file's place: everything has to be requested again. */
  replaced: Record<string, never>;
};

/** How much of a recording exists, and how much of it has been read. */
export interface Extent {
  /** Nanoseconds since the epoch, in decimal. */
  readonly startNs: string;
  /** Decides the character widths of the program's terminal. */
  readonly unicodeVersion: UnicodeVersion;
  readonly endMs: number;
  readonly totalBytes: number;
  readonly recordCount: number;
  /** Whether every record has been read, so that activity, gaps and moments are complete. */
  readonly isIndexed: boolean;
  readonly isFinished: boolean;
  /** A sentence that says what is wrong with the recording; null if nothing is. */
  readonly problem: string | null;
  readonly gaps: readonly Gap[];
}

/** What the header of the page shows about the session. */
export interface SessionHeader {
  /** Null for a file that belongs to no session. */
  readonly sessionId: string | null;
  readonly name: string;
  readonly isRunning: boolean;
  readonly stateText: string;
  /** Where a branch starts; null for other sessions, and if the original was deleted. */
  readonly origin: SessionOrigin | null;
}

/** The moment of the original session that a branch starts from. */
export interface SessionOrigin {
  readonly sessionId: string;
  readonly name: string;
  /** The time of day, in the editor's language. */
  readonly clock: string;
  readonly byteOffset: number;
}

/** A branch of this session, drawn as a lane below the scrubber. */
export interface BranchLane {
  readonly sessionId: string;
  readonly name: string;
  readonly timeMs: number;
  readonly byteOffset: number;
  readonly durationMs: number;
  readonly isRunning: boolean;
}

/** Actions at a moment; each needs a registered command. */
export const MOMENT_ACTIONS = [
  'reveal',
  'branch',
  'snapshot',
  'diff',
  'restore',
  'pin',
  'link',
] as const;
export type MomentAction = (typeof MOMENT_ACTIONS)[number];

/** A moment, or a position between moments. */
export interface MomentPosition {
  readonly momentId: string | null;
  readonly timeMs: number;
  readonly byteOffset: number;
}

export interface ActionRequest extends MomentPosition {
  readonly action: MomentAction;
  /** The instruction of a branch; null for other actions. */
  readonly message: string | null;
}

export const MENU_ACTIONS = ['branch', 'link', 'copyScreen'] as const;
export type MenuAction = (typeof MENU_ACTIONS)[number];

export interface MenuRequest {
  readonly action: MenuAction;
  /** The moment that the action is for; null for the player's position. */
  readonly momentId: string | null;
}

/** What the page needs before it can draw. */
export interface Hello {
  readonly protocolVersion: number;
  readonly session: SessionHeader;
  readonly font: { readonly family: string; readonly size: number };
  /** Minimum contrast of text and background, as set for the editor's own terminals. */
  readonly minimumContrast: number;
  readonly actions: readonly MomentAction[];
  readonly branches: readonly BranchLane[];
  /** Where the link that opened the page leads; null without a link. */
  readonly reveal: SeekTarget | null;
  /** What the user was writing in the page that this one replaces; null if it replaces none. */
  readonly instruction: string | null;
}

/** The requests of the page, which the extension answers. */
export interface TimelineHostProtocol {
  readonly requests: DataRequests & {
    hello: { params: { protocolVersion: number }; result: Hello };
    /** A page that gets no answer has lost its extension host. */
    ping: { params: Record<string, never>; result: Record<string, never> };
    /** `isDone`: whether the command had a result; false if the user cancelled it. */
    runAction: { params: ActionRequest; result: { readonly isDone: boolean } };
    /** The files at a moment, relative to the workspace. */
    files: { params: MomentPosition; result: { readonly files: readonly string[] } };
    /**
     * Copies a text for the page: a page can copy only while it has the focus, and the context menu
     * takes the focus.
     */
    copyText: { params: { text: string }; result: Record<string, never> };
    /** Opens the timeline of another session, at `byteOffset` unless that is null. */
    openSession: {
      params: { sessionId: string; byteOffset: number | null };
      result: Record<string, never>;
    };
  };
  readonly events: Record<string, never>;
}

/** The events that the extension sends to the page. */
export interface TimelinePageProtocol {
  readonly requests: Record<string, never>;
  readonly events: DataEvents & {
    session: SessionHeader;
    actions: { readonly actions: readonly MomentAction[] };
    branches: { readonly branches: readonly BranchLane[] };
    reveal: { readonly target: SeekTarget };
    /** The user chose an entry of the context menu. */
    menu: MenuRequest;
  };
}

/** The requests of the extension, which the thread that reads the recording answers. */
export interface TimelineThreadProtocol {
  readonly requests: DataRequests & {
    open: { params: { file: string; texts: TextBundle }; result: Extent };
    /** Makes the thread send `transcript` events too, from now on. */
    transcribe: { params: Record<string, never>; result: Record<string, never> };
  };
  readonly events: Record<string, never>;
}

/** The events that the thread sends to the extension. */
export interface TimelineThreadClientProtocol {
  readonly requests: Record<string, never>;
  readonly events: ThreadEvents;
}

export type ThreadEvents = DataEvents & { transcript: TranscriptUpdate };
