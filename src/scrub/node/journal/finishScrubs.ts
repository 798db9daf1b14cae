import { messageOf } from '../../../base/errors.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import type { Catalogue } from '../../../sessions/node/catalogue.ts';
import { workspacePlace } from '../../../snapshots/node/open/workspacePlace.ts';
import { applyScrub, undoScrub, type ScrubEnd } from './applyScrub.ts';
import {
  abandonedJournals,
  readJournal,
  withScrubLock,
  type ScrubJournal,
} from './scrubJournal.ts';

/**
 * Completes scrubs whose process was killed, or undoes those that had changed nothing yet. Call at
 * each start.
 * @param report receives a sentence about each scrub
 */
export async function finishScrubs(end: ScrubEnd, report: (text: string) => void): Promise<void> {
  const { catalogue } = end;
  if ((await abandonedJournals(catalogue)).length === 0) return;
  await withScrubLock(catalogue, undefined, async () => {
    // Another process may have finished some while this one waited.
    for (const { sessionId } of await abandonedJournals(catalogue)) {
      const journal = await readJournal(catalogue, sessionId);
      if (!journal) continue;
      try {
        report(await finish(journal, end));
      } catch (error) {
        report(`Can't finish the scrub of session ${sessionId}: ${messageOf(error)}`);
      }
    }
  });
}

async function finish(journal: ScrubJournal, end: ScrubEnd): Promise<string> {
  const { sessionId, workspace } = journal;
  if (!journal.isPrepared) {
    await undoScrub(journal, end.catalogue);
    return `The scrub of session ${sessionId} was interrupted before it changed anything. Repeat it.`;
  }
  const running = workspace && (await runningIn(workspace, end.catalogue));
  if (running) {
    return `The scrub of session ${sessionId} is unfinished; it continues when session ${running} has ended.`;
  }
  const problems = await applyScrub(journal, end);
  if (problems.length === 0) return `Finished the interrupted scrub of session ${sessionId}.`;
  return `Finished the interrupted scrub of session ${sessionId}. These places may still have the text: ${problems.join(' ')}`;
}

/** A running session in the same workspace remembers objects that the scrub deletes. */
async function runningIn(workspace: string, catalogue: Catalogue): Promise<string | undefined> {
  for (const session of await catalogue.list()) {
    const { meta } = session;
    if (meta.state !== 'running' || meta.workspace === undefined) continue;
    if ((await workspacePlace(meta.workspace)) !== workspace) continue;
    if (await isAlive(session)) return meta.id;
  }
  return undefined;
}
