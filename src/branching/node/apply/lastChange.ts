import { UserError } from '../../../base/errors.ts';
import type { Catalogue, CataloguedSession } from '../../../sessions/node/catalogue.ts';
import {
  readReplaced,
  type ReplacedState,
} from '../../../snapshots/node/restore/restoreWorkspace.ts';
import type { BranchRecord } from '../../common/branchRecord.ts';
import type { BranchRegistry } from '../branchRegistry.ts';
import { sessionToApplyTo } from './applyTarget.ts';

/** A restore or an apply that can be undone. */
export interface UndoableChange {
  /** The session that stores the replaced files: for an apply, the branch's original. */
  readonly session: CataloguedSession;
  readonly replaced: ReplacedState;
}

/**
 * The last restore of a session or, if the session is a branch and was applied later, the apply. So
 * an apply can be undone from the original and from the branch.
 * @returns undefined if there is nothing to undo
 */
export async function findLastChange(
  session: CataloguedSession,
  registry: BranchRegistry,
  catalogue: Catalogue,
): Promise<UndoableChange | undefined> {
  const own = await lastChangeStoredIn(session);
  const record = session.meta.branchOf && (await registry.get(session.meta.id));
  const applied = record && (await findApply(record, catalogue));
  if (!own || !applied) return own ?? applied;
  return applied.replaced.tsNs > own.replaced.tsNs ? applied : own;
}

/** @throws UserError if there is nothing to undo */
export async function lastChange(
  session: CataloguedSession,
  registry: BranchRegistry,
  catalogue: Catalogue,
): Promise<UndoableChange> {
  const change = await findLastChange(session, registry, catalogue);
  if (!change) {
    const text = 'Nothing to undo: no files were restored in this session or applied from it.';
    throw new UserError('nothing-to-undo', text);
  }
  return change;
}

/** The apply of a branch, unless the original's files were restored since then. */
async function findApply(
  record: BranchRecord,
  catalogue: Catalogue,
): Promise<UndoableChange | undefined> {
  let original: CataloguedSession;
  try {
    original = await sessionToApplyTo(record, catalogue);
  } catch (error) {
    if (error instanceof UserError) return undefined; // Nothing can have been applied.
    throw error;
  }
  const change = await lastChangeStoredIn(original);
  const by = change?.replaced.by;
  // Older lines lack the ID of the branch.
  const isOfBranch =
    by?.branch === undefined
      ? by?.action === 'apply' && by.name === record.name
      : by.branch === record.id;
  return isOfBranch ? change : undefined;
}

async function lastChangeStoredIn(session: CataloguedSession): Promise<UndoableChange | undefined> {
  const replaced = (await readReplaced(session.folder)).at(-1);
  return replaced && { session, replaced };
}
