import * as l10n from '@vscode/l10n';
import { plainText } from '../../../base/plainText.ts';
import { NANOSECONDS_PER_MILLISECOND } from '../../../base/clock.ts';
import { spanText } from '../../../base/spanText.ts';
import type { AhrRecord, MarkRecord } from '../../../recording/format/records.ts';
import { PauseFinder } from '../../../recording/read/pauses.ts';
import { CommandMarkScanner, type CommandMark } from './commandMarks.ts';
import type { Moment } from './moment.ts';

/** Limit for titles: they may be labels from programs, and are shown in one line. */
const MAX_TITLE_LENGTH = 200;

/**
 * Finds the moments in a recording: snapshot records, resizes, pauses, and commands that a shell
 * announces.
 */
export class RecordedMoments {
  readonly #marks = new CommandMarkScanner();
  #byteOffset = 0;
  #command: { title: string; byteOffset: number } | undefined;
  #isSized = false;
  readonly #pauses = new PauseFinder();

  /**
   * Returns the moments of a record. Call this for every record, in order. A moment replaces an
   * earlier one with the same ID.
   */
  after(record: AhrRecord): Moment[] {
    switch (record.kind) {
      case 'data': {
        const marks = this.#marks.scan(record.bytes, record.startByteOffset);
        this.#byteOffset = record.startByteOffset + record.bytes.length;
        return marks.flatMap((mark) => this.#ofCommand(mark, record.tsNs));
      }
      case 'snapshot':
        return [
          {
            id: `snapshot-${record.snapshotId}-${record.anchorByte}`,
            // The recording does not have the files. If the session has them, `SessionMoments`
            // turns this mark into a snapshot.
            kind: 'mark',
            tsNs: record.tsNs,
            byteOffset: record.anchorByte,
            title: plainTitle(record.label) || l10n.t('Moment {0}', String(record.snapshotId)),
          },
        ];
      case 'resize':
        return this.#ofResize(record.cols, record.rows, record.tsNs);
      case 'mark':
        return this.#ofMark(record);
      case 'input':
        return [];
    }
  }

  /**
   * A pause becomes a moment where it begins; the moment moves to the end of the pause once that is
   * known.
   */
  #ofMark(record: MarkRecord): Moment[] {
    const pause = this.#pauses.after(record);
    if (!pause) return [];
    const { fromNs, toNs } = pause;
    const title =
      toNs === undefined
        ? l10n.t('Not recorded from here on')
        : l10n.t(
            'Not recorded, {0}',
            spanText(Number((toNs - fromNs) / NANOSECONDS_PER_MILLISECOND)),
          );
    const detail = l10n.t('The recording was paused.');
    const byteOffset = this.#byteOffset;
    const tsNs = toNs ?? fromNs;
    return [{ id: `pause-${fromNs}`, kind: 'mark', tsNs, byteOffset, title, detail }];
  }

  /** Skips the first resize, which is the initial size. */
  #ofResize(cols: number, rows: number, tsNs: bigint): Moment[] {
    const isFirst = !this.#isSized;
    this.#isSized = true;
    if (isFirst) return [];
    const byteOffset = this.#byteOffset;
    const id = `resize-${byteOffset}-${tsNs}`;
    return [{ id, kind: 'resize', tsNs, byteOffset, title: `${cols} × ${rows}` }];
  }

  #ofCommand(mark: CommandMark, tsNs: bigint): Moment[] {
    const { byteOffset } = mark;
    if (mark.kind === 'started') {
      const title = plainTitle(mark.command ?? '') || l10n.t('Command');
      this.#command = { title, byteOffset };
      return [{ id: `command-${byteOffset}`, kind: 'tool', tsNs, byteOffset, title }];
    }
    const command = this.#command;
    this.#command = undefined;
    // The end of a command becomes a moment only if the command failed: after a success, there is
    // just the next prompt.
    if (!command || !mark.exitCode) return [];
    const detail = l10n.t('Exit code {0}', mark.exitCode);
    const id = `failure-${byteOffset}`;
    return [{ id, kind: 'error', tsNs, byteOffset, title: command.title, detail, isError: true }];
  }
}

/** Removes control characters and line breaks. */
export function plainTitle(text: string): string {
  return plainText(text, MAX_TITLE_LENGTH);
}
