import type { CataloguedSession, Catalogue } from './catalogue.ts';
import { UserError } from '../../base/errors.ts';
import { isProcess } from '../../platform/node/processes/processes.ts';
import { RecorderClient } from './recorderClient.ts';
import { readSessionMeta, writeSessionMeta } from './sessionMeta.ts';

/** The recorder of a new session may take this long until it listens. */
const START_GRACE_MS = 10_000;
/** How long to wait for an answer. A recorder that does not answer is blocked, but alive. */
const PATIENCE_MS = 500;

/**
 * Finds sessions marked as running whose recorder was killed or whose machine went down, marks them
 * as interrupted and returns them.
 */
export async function markInterrupted(catalogue: Catalogue): Promise<CataloguedSession[]> {
  const running = (await catalogue.list()).filter(({ meta }) => meta.state === 'running');
  const found = await Promise.all(
    running.map(async (session) => ((await isAlive(session)) ? [] : [session])),
  );
  const marked: CataloguedSession[] = [];
  for (const { folder } of found.flat()) {
    // The session may have ended properly in the meantime.
    const meta = await readSessionMeta(folder);
    if (meta.state !== 'running') continue;
    const interrupted = { ...meta, state: 'interrupted' as const };
    await writeSessionMeta(folder, interrupted);
    marked.push({ folder, meta: interrupted });
  }
  return marked;
}

/** Whether the session's recorder is alive. */
export async function isAlive({ meta }: CataloguedSession): Promise<boolean> {
  if (!isProcess(meta.host.pid)) return false;
  try {
    (await RecorderClient.connect(meta.hostSocket, PATIENCE_MS)).dispose();
    return true;
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'not-running') return true;
    // The process may be another one with the same ID, or the recorder is just starting or ending.
    const startedMs = Number(meta.startedAtNs / 1_000_000n);
    return Date.now() - startedMs < START_GRACE_MS;
  }
}
