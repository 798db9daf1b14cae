import type { AhrRecord } from '../../recording/format/records.ts';
import type { TerminalModel } from '../screen/terminalModel.ts';

/** Applies a record to the model. The caller ignores the model's replies to queries. */
export function playRecord(model: TerminalModel, record: AhrRecord): void {
  if (record.kind === 'data') {
    model.write(record.bytes, record.startByteOffset + record.bytes.length);
  } else if (record.kind === 'resize') {
    model.resize(record);
  }
}
