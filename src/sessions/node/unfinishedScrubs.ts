import { readdirSync } from 'node:fs';
import path from 'node:path';
import { errorCode, UserError } from '../../base/errors.ts';
import { Catalogue } from './catalogue.ts';

const JOURNAL = '.json';

/** The folder with the journals of scrubs, one for each session that is being scrubbed. */
export function scrubsFolder(catalogue: Catalogue): string {
  return path.join(path.dirname(catalogue.folder), 'scrubs');
}

export function scrubJournalFile(catalogue: Catalogue, sessionId: string): string {
  return path.join(scrubsFolder(catalogue), `${sessionId}${JOURNAL}`);
}

/** The sessions whose scrub is under way, or was interrupted and continues at the next start. */
export function unfinishedScrubs(catalogue: Catalogue): ReadonlySet<string> {
  try {
    const names = readdirSync(scrubsFolder(catalogue)).filter((name) => name.endsWith(JOURNAL));
    return new Set(names.map((name) => name.slice(0, -JOURNAL.length)));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return new Set();
    throw error;
  }
}

/**
 * Refuses while the session is only partly scrubbed: a copy of it could contain the text.
 * @throws UserError `scrub-unfinished`
 */
export function checkScrubFinished(sessionId: string, catalogue = new Catalogue()): void {
  if (unfinishedScrubs(catalogue).has(sessionId)) throw scrubUnfinished(sessionId);
}

export function scrubUnfinished(sessionId: string): UserError {
  return new UserError(
    'scrub-unfinished',
    `The scrub of session ${sessionId} is unfinished. To finish it: ah agent sessions`,
  );
}
