import { finishScrubs } from '../scrub/node/journal/finishScrubs.ts';
import { removeIndex, searchIndexFile } from '../search/node/factIndex.ts';
import { Catalogue } from '../sessions/node/catalogue.ts';

/**
 * Finishes scrubs whose process was killed, before any command reads the sessions. A command of a
 * recorded program does not wait for that: its session runs in a workspace that may be affected.
 */
export async function finishInterruptedScrubs(): Promise<void> {
  if (process.env['AH_SESSION_ID'] !== undefined) return;
  const end = { catalogue: new Catalogue(), forgetSearch: () => removeIndex(searchIndexFile()) };
  await finishScrubs(end, (text) => process.stderr.write(`ah: ${text}\n`));
}
