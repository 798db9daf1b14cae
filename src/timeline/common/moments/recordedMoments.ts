import * as l10n from '@vscode/l10n';
import { plainText } from '../../../base/plainText.ts';
import { NANOSECONDS_PER_MILLISECOND } from '../../../base/clock.ts';
import { MARK_PAUSE, MARK_RESUME, MARK_SESSION_END } from '../../../recording/format/format.ts';
import type { AhrRecord, MarkRecord } from '../../../recording/format/records.ts';
import { CommandMarkScanner, type CommandMark } from './commandMarks.ts';
import type { Moment } from './moment.ts';

/** Labels come from programs and are shown in one line. */
const MAX_TITLE_LENGTH = 200;

const PAUSE_MARKS: readonly number[] = [MARK_PAUSE, MARK_RESUME, MARK_SESSION_END];

/** Finds the moments in a recording: reported moments, resizes, and commands that a shell announces. */
export class RecordedMoments {
  readonly #marks = new CommandMarkScanner();
  #byteOffset = 0;
  #command: { title: string; byteOffset: number } | undefined;
  #isSized = false;
  #pausedNs: bigint | undefined;

  /** Call this for every record, in order. */
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
            // The recording has no files: `SessionMoments` makes it a snapshot if the session has them.
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

  /** A pause becomes a moment at its end: the resume, or the end of the session. */
  #ofMark({ code, tsNs }: MarkRecord): Moment[] {
    if (!PAUSE_MARKS.includes(code)) return [];
    const since = this.#pausedNs;
    this.#pausedNs = code === MARK_PAUSE ? tsNs : undefined;
    if (since === undefined) return [];
    const seconds = Math.round(Number((tsNs - since) / NANOSECONDS_PER_MILLISECOND) / 1000);
    const title =
      seconds < 60
        ? l10n.t('Not recorded, {0} s', seconds)
        : l10n.t('Not recorded, {0} min', Math.round(seconds / 60));
    const detail = l10n.t('The recording was paused.');
    const byteOffset = this.#byteOffset;
    return [{ id: `pause-${since}`, kind: 'mark', tsNs, byteOffset, title, detail }];
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
    // Only failures become moments: after a success, the next prompt follows.
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
