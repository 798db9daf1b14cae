import { redactText } from '../../redaction/redactValue.ts';
import type { AhrRecord } from '../../recording/format/records.ts';
import { SecretStars } from './secretStars.ts';
import type { LogWriter } from '../sessionLog.ts';

/**
 * Puts stars in the place of secrets before they are written down, byte for byte: every place in the recording stays where
 * it is, and whoever is at the terminal sees what the program printed. A record is not held back until the next one shows
 * whether a key goes on: what begins like one counts as one.
 */
export class RedactingWriter implements LogWriter {
  readonly #writer: LogWriter;
  readonly #known: readonly string[];
  readonly #printed: SecretStars;
  readonly #typed: SecretStars;

  /** @param known secrets that are known as such */
  constructor(writer: LogWriter, known: readonly string[]) {
    this.#writer = writer;
    this.#known = known;
    this.#printed = new SecretStars(known);
    this.#typed = new SecretStars(known);
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
        return { ...record, bytes: this.#printed.over(record.bytes) };
      case 'input':
        return { ...record, bytes: this.#typed.over(record.bytes) };
      case 'snapshot':
        return { ...record, label: redactText(record.label, this.#known) };
      case 'resize':
      case 'mark':
        return record;
    }
  }
}
