import type { None } from '../../../rpc/channel.ts';
import { asObject, badRequest } from './checkedFields.ts';

// The protocol between the page of a recording's final lines and the extension, which sends all
// texts localized.

/** Text, foreground, background, style: as in `styledRuns.ts`. */
export type PageRun = readonly [
  text: string,
  foreground: number,
  background: number,
  style: number,
];

export type PageItem =
  | { readonly number: number; readonly runs: readonly PageRun[] }
  | { readonly label: string; readonly time: string };

export interface PageNotice {
  readonly kind: 'live' | 'warning' | 'progress';
  readonly text: string;
}

/** Everything on the page except its lines. */
export interface PageState {
  readonly title: string;
  readonly command: string | undefined;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly notices: readonly PageNotice[];
  /** Shown if there are no lines. */
  readonly empty: string;
  /** A number that changes when items that were already settled change. */
  readonly generation: number;
  readonly itemCount: number;
  readonly settledItems: number;
  /** How many items at the end are shown until the user selects “Show All”. */
  readonly lastItems: number;
  /** Note and button label if only a part is shown. */
  readonly partial: { readonly text: string; readonly showAll: string } | undefined;
  readonly linesLabel: string;
}

/** Messages from the page. */
export interface RecordingHostProtocol {
  readonly requests: {
    readonly items: { readonly params: ItemRange; readonly result: PageItems };
  };
  readonly events: {
    /** The page has loaded. */
    readonly ready: null;
  };
}

/** Messages to the page. */
export interface RecordingPageProtocol {
  readonly requests: None;
  readonly events: { readonly state: PageState };
}

export interface ItemRange {
  readonly from: number;
  readonly to: number;
}

export interface PageItems {
  readonly generation: number;
  readonly from: number;
  readonly items: readonly PageItem[];
}

/** The most items of one request. */
const MAX_ITEMS_READ = 1000;

/** Pages are not trusted: throws a `UserError` for an invalid range. */
export function parseItemRange(params: unknown): ItemRange {
  const { from, to } = asObject(params);
  if (!isCount(from) || !isCount(to) || to <= from || to - from > MAX_ITEMS_READ) {
    throw badRequest('from');
  }
  return { from, to };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
