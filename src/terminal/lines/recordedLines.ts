import { countWhile } from '../../base/binarySearch.ts';
import type { UnicodeVersion } from '../../base/unicodeVersion.ts';
import type { AhrRecord, DataRecord } from '../../recording/format/records.ts';
import { snapshotMoment, type SnapshotMoment } from '../branchPoints/branchPoints.ts';
import { DEFAULT_TERMINAL_SIZE } from '../screen/defaultSize.ts';
import type { RowView } from '../screen/rowView.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import { SettledLines, type LineRow, type SettledLimits } from './settledLines.ts';
import { TerminalModel } from '../screen/terminalModel.ts';

/** A line, or a moment between two lines. */
export type RecordedItem =
  /** `styled` contains colors as escape sequences; `number` counts from 1. */
  | { readonly kind: 'line'; readonly number: number; readonly styled: string }
  | { readonly kind: 'moment'; readonly label: string; readonly tsNs: bigint };

/** Limits of what a page can show and a browser can hold in memory. */
const LIMITS: SettledLimits = { lines: 1_000_000, bytes: 256 * 1024 * 1024 };
/**
 * Enough for one moment per second for a day; a hostile file with more must not fill the memory.
 */
const MAX_MOMENTS = 100_000;
const MAX_LABEL_LENGTH = 500;
/** The terminal parses this many bytes in a few milliseconds. */
export const PIECE_BYTES = 32 * 1024;

/**
 * Plays a recording and collects its lines: first the scrollback, then the screen, with the moments
 * of the recording between them. A moment precedes the first line that changed after it.
 */
export class RecordedLines {
  readonly #settled: SettledLines;
  readonly #unicodeVersion: UnicodeVersion | undefined;
  #model: TerminalModel | undefined;
  #moments: SnapshotMoment[] = [];
  #droppedMoments = 0;
  #erasures = 0;
  #screen: readonly LineRow[] | undefined;
  #places: readonly number[] | undefined;

  constructor(limits = LIMITS, unicodeVersion?: UnicodeVersion) {
    this.#unicodeVersion = unicodeVersion;
    this.#settled = new SettledLines(limits);
  }

  /** Number of moments, including dropped ones. */
  get momentCount(): number {
    return this.#droppedMoments + this.#moments.length;
  }

  /** Increases whenever settled items change: after erasures, dropped lines, and late moments. */
  get revision(): number {
    return this.#erasures + this.#settled.start + this.#droppedMoments;
  }

  /** Number of dropped lines at the start. */
  get omittedLines(): number {
    return this.#settled.start;
  }

  get size(): TerminalSize {
    return this.#model?.size ?? DEFAULT_TERMINAL_SIZE;
  }

  get itemCount(): number {
    return this.#lineEnd() - this.#settled.start + this.#placesOf().length;
  }

  /** Number of items at the start of the list that stay the same until the revision changes. */
  get settledItems(): number {
    const end = Math.min(this.#settled.end, this.#lineEnd());
    return end - this.#settled.start + countWhile(this.#placesOf(), (place) => place < end);
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

  /** Writes the output of a record in pieces, so that the caller can pause between them. */
  *write({ bytes, startByteOffset }: DataRecord): Generator<void, void, void> {
    this.#model ??= this.#makeModel(DEFAULT_TERMINAL_SIZE);
    const end = startByteOffset + bytes.length;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.#change();
      this.#model.write(bytes.subarray(at, at + PIECE_BYTES), end);
      yield;
    }
  }

  /** Returns the items of a range, as far as they exist. */
  items(from: number, to: number): RecordedItem[] {
    const places = this.#placesOf();
    const start = this.#settled.start;
    const items: RecordedItem[] = [];
    // Count the moments before item `from`: each is an item of its own.
    let moment = countWhile(
      places.map((place, index) => place - start + index),
      (item) => item < from,
    );
    let line = start + from - moment;
    const lines = this.#lines(line, start + to);
    const first = line;
    // The `!`s are safe: only the last moments have places, and both branches check their bounds.
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
      size,
      unicodeVersion: this.#unicodeVersion,
      historyLines: 0,
      onLine: (row) => this.#settled.add(screenRow(row)),
      onHistoryCleared: () => {
        this.#settled.clear();
        this.#erasures++;
      },
    });
  }

  #addMoment(moment: SnapshotMoment): void {
    const last = this.#moments.at(-1);
    // A new moment is almost always the newest; a late one is inserted before later moments.
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

  /** One past the number of the last line that is not blank. */
  #lineEnd(): number {
    const rows = this.#screenRows();
    for (let at = rows.length; at > 0; at--) {
      if (rows[at - 1]?.isBlank === false) return this.#settled.end + at;
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

  /**
   * For each moment, the number of the line after it. Leaves out moments before the first line that
   * is still kept.
   */
  #placesOf(): readonly number[] {
    if (this.#places) return this.#places;
    const lineEnd = this.#lineEnd();
    const rows = this.#screenRows();
    const places: number[] = [];
    let row = 0;
    for (const { anchorByte } of this.#moments) {
      let place = this.#settled.firstWrittenAfter(anchorByte);
      if (place === this.#settled.end) {
        while ((rows[row]?.lastWriteByte ?? Infinity) <= anchorByte) row++;
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

/** Matches a line with nothing but spaces, colors and links. */
const BLANK = /^(?:\s|\x1b\[[\d;:]*m|\x1b\]8;[^\x1b]*\x1b\\)*$/;

function screenRow(row: RowView): LineRow {
  const { styled, lastWriteByte } = row;
  return { styled, isBlank: BLANK.test(styled), lastWriteByte };
}

function shortened(label: string): string {
  return label.length > MAX_LABEL_LENGTH ? `${label.slice(0, MAX_LABEL_LENGTH)}…` : label;
}
