import type { BranchRecord } from '../../common/branchRecord.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import type { Captures } from '../../../sessions/node/launchCaptures.ts';
import { readSessionNotes } from '../../../sessions/node/sessionNotes.ts';

/**
 * What is kept of a branch: what is asked for now, and never more than of the session that it comes from. Where capture was off
 * it is off, and where secrets were taken out they are, whatever the settings say by now. What was typed is kept only where that
 * is asked for now: somebody else may be typing in the branch.
 */
export async function branchCaptures(
  { from }: Pick<BranchRecord, 'from'>,
  asked: Captures,
  catalogue = new Catalogue(),
): Promise<Captures> {
  const parent = await catalogue.get(from.sessionId).catch(() => undefined);
  // It may be gone by now: then the settings alone count.
  if (!parent) return asked;
  const { isCaptureOff = false } = await readSessionNotes(parent.folder);
  const redacts = asked.redacts === true || parent.meta.redacts === true;
  return { ...asked, redacts, isCaptureOff };
}
