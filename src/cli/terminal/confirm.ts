import { createInterface } from 'node:readline/promises';
import { UserError } from '../../base/errors.ts';

/** @throws UserError when the user declines or standard input is not a terminal */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new UserError(
      'bad-argument',
      'Standard input is not a terminal, so the command cannot ask. Add --yes to confirm.',
    );
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`${question} [y/N] `);
  prompt.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new UserError('declined', 'Nothing was changed.');
}
