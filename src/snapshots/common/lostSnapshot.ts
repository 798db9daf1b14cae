import { UserError } from '../../base/errors.ts';

/** A snapshot whose files were not all on disk before a power cut or a crash. */
export function lostError(cause?: unknown): UserError {
  return new UserError(
    'snapshot-lost',
    'The files of this snapshot are lost: the machine or the recorder stopped before all of them were on disk.',
    { cause },
  );
}
