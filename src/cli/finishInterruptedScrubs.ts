import { finishScrubs } from '../scrub/node/journal/finishScrubs.ts';
import { removeIndex, searchIndexFile } from '../search/node/factIndex.ts';
import { Catalogue } from '../sessions/node/catalogue.ts';

/**
 * Finishes scrubs whose process was killed, before any command reads the sessions. Does nothing
 * inside a recorded session: a scrub of its workspace can continue only after that session ended.
 */
export async function finishInterruptedScrubs(): Promise<void> {
  if (process.env['AH_SESSION_ID'] !== undefined) return;
  const end = { catalogue: new Catalogue(), forgetSearch: () => removeIndex(searchIndexFile()) };
  await finishScrubs(end, (text) => process.stderr.write(`ah: ${text}\n`));
}
