import { plainText } from '../../base/plainText.ts';
import { t } from '../../base/words.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { CommandMarkScanner, type CommandMark } from './commandMarks.ts';
import type { Moment } from './moment.ts';

/** A label comes from a program, and is shown in one line. */
const MAX_TITLE_LENGTH = 200;

/** The moments that a recording itself holds: snapshots, resizes, and the commands that a shell announced. */
export class RecordedMoments {
  readonly #marks = new CommandMarkScanner();
  #byteOffset = 0;
  #command: { title: string; byteOffset: number } | undefined;
  #isSized = false;

  /** To be called for every record, in order. */
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
            kind: 'snapshot',
            tsNs: record.tsNs,
            byteOffset: record.anchorByte,
            title: plainTitle(record.label) || t('Snapshot {0}', String(record.snapshotId)),
            snapshotId: String(record.snapshotId),
          },
        ];
      case 'resize':
        return this.#ofResize(record.cols, record.rows, record.tsNs);
      case 'mark':
      case 'input':
        return [];
    }
  }

  /** The first size is that of the terminal as it was opened, which is no event. */
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
      const title = plainTitle(mark.command ?? '') || t('Command');
      this.#command = { title, byteOffset };
      return [{ id: `command-${byteOffset}`, kind: 'tool', tsNs, byteOffset, title }];
    }
    const command = this.#command;
    this.#command = undefined;
    // A success needs no moment of its own: the next prompt says as much.
    if (!command || !mark.exitCode) return [];
    const detail = t('Exit code {0}', mark.exitCode);
    const id = `failure-${byteOffset}`;
    return [{ id, kind: 'error', tsNs, byteOffset, title: command.title, detail, isError: true }];
  }
}

/** One line without control characters, which a label may hold and no title should. */
export function plainTitle(text: string): string {
  return plainText(text, MAX_TITLE_LENGTH);
}
