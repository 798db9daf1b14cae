import { createInterface } from 'node:readline/promises';
import { UserError } from '../base/errors.ts';

/** @throws UserError when the person says no, or there is nobody to ask */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new UserError('bad-argument', 'Nobody can be asked here: add --yes to do it.');
  }
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await dialog.question(`${question} [y/N] `);
  dialog.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('declined', 'Nothing was changed.');
}
