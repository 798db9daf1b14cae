import type { AhrRecord, DataRecord } from '../../recording/format/records.ts';
import { snapshotMoment, type SnapshotMoment } from '../branchPoints/branchPoints.ts';
import { DEFAULT_TERMINAL_SIZE } from '../screen/defaultSize.ts';
import type { RowView } from '../screen/rowView.ts';
import type { TerminalSize } from '../screen/screenTypes.ts';
import { SettledLines, type LineRow, type SettledLimits } from './settledLines.ts';
import { TerminalModel } from '../screen/terminalModel.ts';

/** A line as it is now, or a moment between two of them. */
export type RecordedItem =
  /** `styled` holds colours as escape sequences; `number` counts from 1. */
  | { readonly kind: 'line'; readonly number: number; readonly styled: string }
  | { readonly kind: 'moment'; readonly label: string; readonly tsNs: bigint };

/** What a page can show of a million lines, and what a browser's memory bears. */
const LIMITS: SettledLimits = { lines: 1_000_000, bytes: 256 * 1024 * 1024 };
/** One every second for a day; a file made of moments alone must not fill the memory. */
const MAX_MOMENTS = 100_000;
const MAX_LABEL_LENGTH = 500;
/** Bytes given to the terminal at once: a few milliseconds' work. */
export const PIECE_BYTES = 32 * 1024;

/**
 * The lines of a recording that is played record by record, and its moments between them: those that have left the screen, then
 * the screen as it is. A moment comes before the first line that was written to after it.
 */
export class RecordedLines {
  readonly #settled: SettledLines;
  #model: TerminalModel | undefined;
  #moments: SnapshotMoment[] = [];
  #droppedMoments = 0;
  #erasures = 0;
  #screen: readonly LineRow[] | undefined;
  #places: readonly number[] | undefined;

  constructor(limits = LIMITS) {
    this.#settled = new SettledLines(limits);
  }

  /** Moments so far. */
  get momentCount(): number {
    return this.#droppedMoments + this.#moments.length;
  }

  /** Counts what makes items that were settled be others: erasures, lines dropped, moments found late. */
  get upheavals(): number {
    return this.#erasures + this.#settled.start + this.#droppedMoments;
  }

  /** Lines at the beginning that are no longer kept. */
  get omittedLines(): number {
    return this.#settled.start;
  }

  get size(): TerminalSize {
    return this.#model?.size ?? DEFAULT_TERMINAL_SIZE;
  }

  get itemCount(): number {
    return this.#lineEnd() - this.#settled.start + this.#placesOf().length;
  }

  /** Items from the first on that stay as they are, unless there is an upheaval. */
  get settledItems(): number {
    const end = Math.min(this.#settled.end, this.#lineEnd());
    return end - this.#settled.start + countBelow(this.#placesOf(), end);
  }

  add(record: Exclude<AhrRecord, DataRecord>): void {
    if (record.kind === 'resize') {
      this.#change();
      if (this.#model) this.#model.resize(record);
      else this.#model = this.#makeModel(record);
    } else if (record.kind === 'snapshot') {
      this.#addMoment(snapshotMoment({ ...record, label: shortened(record.label) }));
    }
  }

  /** The output of a record, piece by piece: what is done between two pieces is the caller's. */
  *write({ bytes, startByteOffset }: DataRecord): Generator<void, void, void> {
    this.#model ??= this.#makeModel(DEFAULT_TERMINAL_SIZE);
    const end = startByteOffset + bytes.length;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.#change();
      this.#model.write(bytes.subarray(at, at + PIECE_BYTES), end);
      yield;
    }
  }

  /** The items of a range, cut to those there are. */
  items(from: number, to: number): RecordedItem[] {
    const places = this.#placesOf();
    const start = this.#settled.start;
    const items: RecordedItem[] = [];
    // Of the moments before the item `from`, each takes one place that is no line's.
    let moment = countBelow(
      places.map((place, index) => place - start + index),
      from,
    );
    let line = start + from - moment;
    const lines = this.#lines(line, start + to);
    const first = line;
    while (items.length < to - from) {
      if (moment < places.length && places[moment]! <= line) {
        const { label, tsNs } = this.#moments[this.#moments.length - places.length + moment]!;
        items.push({ kind: 'moment', label, tsNs });
        moment++;
      } else if (line - first < lines.length) {
        items.push({ kind: 'line', number: line + 1, styled: lines[line - first]! });
        line++;
      } else break;
    }
    return items;
  }

  dispose(): void {
    this.#model?.dispose();
  }

  #makeModel(size: TerminalSize): TerminalModel {
    return new TerminalModel({
      ...{ size, historyLines: 0 },
      onLine: (row) => this.#settled.add(screenRow(row)),
      onHistoryCleared: () => {
        this.#settled.clear();
        this.#erasures++;
      },
    });
  }

  #addMoment(moment: SnapshotMoment): void {
    const last = this.#moments.at(-1);
    // Almost always the newest; one that was announced late takes its place among the others.
    if (!last || last.anchorByte <= moment.anchorByte) this.#moments.push(moment);
    else {
      const at = this.#moments.findIndex(({ anchorByte }) => anchorByte > moment.anchorByte);
      this.#moments.splice(at, 0, moment);
      this.#erasures++;
    }
    if (this.#settled.firstWrittenAfter(moment.anchorByte) < this.#settled.end) this.#erasures++;
    if (this.#moments.length > MAX_MOMENTS) {
      this.#moments.shift();
      this.#droppedMoments++;
    }
    this.#places = undefined;
  }

  #change(): void {
    this.#screen = undefined;
    this.#places = undefined;
  }

  /** Number after the last line that is not blank. */
  #lineEnd(): number {
    const rows = this.#screenRows();
    for (let at = rows.length; at > 0; at--) {
      if (!rows[at - 1]!.isBlank) return this.#settled.end + at;
    }
    return this.#settled.nonBlankEnd;
  }

  #lines(from: number, to: number): string[] {
    const end = Math.min(to, this.#lineEnd());
    const rows = this.#screenRows().slice(
      Math.max(0, from - this.#settled.end),
      Math.max(0, end - this.#settled.end),
    );
    return [...this.#settled.slice(from, end), ...rows.map(({ styled }) => styled)];
  }

  #screenRows(): readonly LineRow[] {
    if (this.#screen) return this.#screen;
    const model = this.#model;
    if (!model) return [];
    const rows = [...model.mainScreenRows(), ...(model.isAlternateScreen ? model.rows() : [])];
    this.#screen = rows.map(screenRow);
    return this.#screen;
  }

  /** The number of the line that each moment stands before, in order; those before the first line kept are left out. */
  #placesOf(): readonly number[] {
    if (this.#places) return this.#places;
    const lineEnd = this.#lineEnd();
    const rows = this.#screenRows();
    const places: number[] = [];
    let row = 0;
    for (const { anchorByte } of this.#moments) {
      let place = this.#settled.firstWrittenAfter(anchorByte);
      if (place === this.#settled.end) {
        while (row < rows.length && rows[row]!.lastWriteByte <= anchorByte) row++;
        place += row;
      }
      if (this.#settled.start === 0 || place > this.#settled.start) {
        places.push(Math.min(place, lineEnd));
      }
    }
    this.#places = places;
    return places;
  }
}

/** Spaces, colours and links, and nothing else. Over at the first character that shows. */
const BLANK = /^(?:\s|\x1b\[[\d;:]*m|\x1b\]8;[^\x1b]*\x1b\\)*$/;

function screenRow(row: RowView): LineRow {
  const { styled, lastWriteByte } = row;
  return { styled, isBlank: BLANK.test(styled), lastWriteByte };
}

function shortened(label: string): string {
  return label.length > MAX_LABEL_LENGTH ? `${label.slice(0, MAX_LABEL_LENGTH)}…` : label;
}

/** How many of these ascending numbers are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
