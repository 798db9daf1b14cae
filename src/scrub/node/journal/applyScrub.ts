import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, messageOf, UserError } from '../../../base/errors.ts';
import { syncFolder } from '../../../platform/node/files/atomicFile.ts';
import type { Catalogue } from '../../../sessions/node/catalogue.ts';
import type { ProviderName, SnapshotProvider } from '../../../snapshots/common/provider.ts';
import { openRewritingProviders } from '../../../snapshots/node/open/openProviders.ts';
import { filledRanges } from '../../common/byteRanges.ts';
import { fillFile } from './fillFile.ts';
import { draftOf, removeJournal, type ScrubChange, type ScrubJournal } from './scrubJournal.ts';
import { markRemoved, replaceReferences } from './snapshotReferences.ts';

export interface ScrubEnd {
  readonly catalogue: Catalogue;
  /** Deletes the search index, which is rebuilt later. */
  forgetSearch(): void;
}

/**
 * Makes all changes of a journal, then removes the journal. After an interruption, it is called
 * again: each change can be repeated.
 * @returns sentences about places that were not reached
 */
export async function applyScrub(journal: ScrubJournal, end: ScrubEnd): Promise<string[]> {
  const { catalogue } = end;
  const problems = [...journal.problems];
  end.forgetSearch();
  for (const change of journal.changes) problems.push(...(await apply(change, catalogue)));
  // A search meanwhile may have read files that still had the text.
  end.forgetSearch();
  await removeJournal(catalogue, journal.sessionId);
  await announce(catalogue, journal.sessionId);
  return problems;
}

/** Deletes what an unfinished preparation has written. */
export async function undoScrub(journal: ScrubJournal, catalogue: Catalogue): Promise<void> {
  for (const file of journal.files) await rm(draftOf(file), { force: true });
  if (journal.workspace !== undefined)
    await withProvider(journal.workspace, 'git', (provider) => provider.finishScrub?.(new Map()));
  await removeJournal(catalogue, journal.sessionId);
}

async function apply(change: ScrubChange, catalogue: Catalogue): Promise<string[]> {
  switch (change.kind) {
    case 'replace':
      await replaceByDraft(change.file);
      return [];
    case 'delete':
      await rm(change.file, { force: true });
      return [];
    case 'fill': {
      const problem = await fillFile(change);
      return problem === undefined ? [] : [problem];
    }
    case 'rewrite':
      await rewrite(change, catalogue);
      return [];
    case 'remove':
      return remove(change, catalogue);
  }
}

/** No draft: it has replaced its file already. No file: another program deleted it. */
async function replaceByDraft(file: string): Promise<void> {
  const draft = draftOf(file);
  try {
    await stat(file);
    await rename(draft, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await rm(draft, { force: true });
  }
}

async function rewrite(
  { workspace, provider: name, replaced }: Extract<ScrubChange, { kind: 'rewrite' }>,
  catalogue: Catalogue,
): Promise<void> {
  const fresh = new Map(replaced);
  // References first: until the old snapshots are deleted, both versions exist.
  await replaceReferences(catalogue, fresh);
  await withProvider(workspace, name, (provider) => provider.finishScrub?.(fresh));
  // Opening an interrupted session may have added an old reference meanwhile.
  await replaceReferences(catalogue, fresh);
}

async function remove(
  { workspace, provider: name, snapshots, labels }: Extract<ScrubChange, { kind: 'remove' }>,
  catalogue: Catalogue,
): Promise<string[]> {
  const problems: string[] = [];
  const ranges = new Map(labels);
  await withProvider(workspace, name, async (provider) => {
    for (const { ref, namedBy } of snapshots) {
      try {
        await provider.remove([ref]);
      } catch (error) {
        // The provider can't delete the snapshot, for example because a branch needs it.
        if (!(error instanceof UserError)) throw error;
        problems.push(messageOf(error));
        continue;
      }
      await markRemoved(catalogue, name, namedBy);
    }
    await provider.scrubLabels?.((label, ref) => {
      const found = ranges.get(ref);
      return found && filledRanges(label, found);
    });
  });
  return problems;
}

async function withProvider(
  workspace: string,
  name: ProviderName,
  task: (provider: SnapshotProvider) => Promise<void> | undefined,
): Promise<void> {
  const { providers, refusals } = await openRewritingProviders(workspace);
  try {
    const provider = providers.find((each) => each.name === name);
    if (provider) return await task(provider);
    const reason = refusals.find((refusal) => refusal.name === name)?.reason;
    // Without a reason, all snapshots are gone.
    if (reason !== undefined) throw new UserError('no-provider', reason);
  } finally {
    for (const provider of providers) provider.dispose();
  }
}

/** Adding the session again makes every window read it again. */
async function announce(catalogue: Catalogue, sessionId: string): Promise<void> {
  const session = await catalogue.get(sessionId).catch(() => undefined); // Deleted meanwhile.
  if (session) await catalogue.add(sessionId, session.folder);
}
