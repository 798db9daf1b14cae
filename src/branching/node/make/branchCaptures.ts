import type { BranchRecord } from '../../common/branchRecord.ts';
import { Catalogue } from '../../../sessions/node/catalogue.ts';
import type { Captures } from '../../../sessions/node/launchCaptures.ts';
import { readSessionNotes } from '../../../sessions/node/sessionNotes.ts';

/**
 * What to capture in a branch: what the settings ask for now. But if capture was off or secrets
 * were redacted in the original session, the same applies to the branch. Whether input is captured
 * depends only on the present settings.
 */
export async function branchCaptures(
  { from }: Pick<BranchRecord, 'from'>,
  wanted: Captures,
  catalogue = new Catalogue(),
): Promise<Captures> {
  const parent = await catalogue.get(from.sessionId).catch(() => undefined);
  // The original session may have been deleted: then only the settings count.
  if (!parent) return wanted;
  const { isCaptureOff = false } = await readSessionNotes(parent.folder);
  const redacts = wanted.redacts === true || parent.meta.redacts === true;
  return { ...wanted, redacts, isCaptureOff };
}
