import type { AhrRecord } from '../../recording/format/records.ts';
import type { TerminalModel } from '../screen/terminalModel.ts';

/** Does to the model what happened when the record was made. Answers that the model gives are the caller's to drop. */
export function playRecord(model: TerminalModel, record: AhrRecord): void {
  if (record.kind === 'data') {
    model.write(record.bytes, record.startByteOffset + record.bytes.length);
  } else if (record.kind === 'resize') {
    model.resize(record);
  }
}
