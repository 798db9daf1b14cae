/** What the page of a recording and the extension say to each other. Everything a person reads comes in their language. */

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

/** All of the page but its lines. */
export interface PageState {
  readonly title: string;
  readonly command: string | undefined;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly notices: readonly PageNotice[];
  /** Shown instead of lines when there are none. */
  readonly empty: string;
  /** Items that were settled are others when this is. */
  readonly generation: number;
  readonly itemCount: number;
  readonly settledItems: number;
  /** Items shown until all are asked for. */
  readonly lastItems: number;
  /** What is shown of how much, and the button's words; undefined when all is shown anyway. */
  readonly partial: { readonly text: string; readonly showAll: string } | undefined;
  readonly linesLabel: string;
}

export type ToPage =
  | { readonly kind: 'state'; readonly state: PageState }
  | {
      readonly kind: 'items';
      readonly generation: number;
      readonly from: number;
      readonly items: readonly PageItem[];
    };

export type FromPage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly from: number; readonly to: number };

/** The most that a page may ask for at once. */
export const MAX_ITEMS_READ = 1000;

/** What a page sent, if it makes sense: what runs in a page is not trusted. */
export function parseFromPage(value: unknown): FromPage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, from, to } = value as Record<string, unknown>;
  if (kind === 'ready') return { kind };
  const isRange = isCount(from) && isCount(to) && to > from && to - from <= MAX_ITEMS_READ;
  return kind === 'read' && isRange ? { kind, from, to } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
