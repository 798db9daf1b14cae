import { redactText } from '../../redaction/redactValue.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { SecretMask } from './secretMask.ts';
import type { LogWriter } from '../sessionLog.ts';

/**
 * Replaces secrets by stars of the same length before records are written, so byte offsets stay the
 * same. Clients still see what the program printed. A key may continue in the next record, but
 * records are not held back to find out: text that starts like a key is treated as one.
 */
export class RedactingWriter implements LogWriter {
  readonly #writer: LogWriter;
  readonly #known: readonly string[];
  readonly #output: SecretMask;
  readonly #input: SecretMask;

  /** @param known secrets to replace wherever they occur, whatever they look like */
  constructor(writer: LogWriter, known: readonly string[]) {
    this.#writer = writer;
    this.#known = known;
    this.#output = new SecretMask(known);
    this.#input = new SecretMask(known);
  }

  append(record: AhrRecord): void {
    this.#writer.append(this.#redacted(record));
  }

  onDidWriteBlock(listener: Parameters<LogWriter['onDidWriteBlock']>[0]): unknown {
    return this.#writer.onDidWriteBlock(listener);
  }

  #redacted(record: AhrRecord): AhrRecord {
    switch (record.kind) {
      case 'data':
        return { ...record, bytes: this.#output.mask(record.bytes) };
      case 'input':
        return { ...record, bytes: this.#input.mask(record.bytes) };
      case 'snapshot':
        return { ...record, label: redactText(record.label, this.#known) };
      case 'resize':
      case 'mark':
        return record;
    }
  }
}
