import type { CataloguedSession, Catalogue } from './catalogue.ts';
import { UserError } from '../../base/errors.ts';
import { isProcess } from '../../platform/node/processes/processes.ts';
import { RecorderClient } from './recorderClient.ts';
import { readSessionMeta, writeSessionMeta } from './sessionMeta.ts';

/** A session that has only just been announced may not listen yet. */
const START_GRACE_MS = 10_000;
/** Long enough for any recorder that is not stuck; and a stuck one is alive. */
const PATIENCE_MS = 500;

/**
 * Finds sessions that say they run while their recorder is gone (killed, or the machine went down), marks them as
 * interrupted, and returns them.
 */
export async function markInterrupted(catalogue: Catalogue): Promise<CataloguedSession[]> {
  const running = (await catalogue.list()).filter(({ meta }) => meta.state === 'running');
  const found = await Promise.all(
    running.map(async (session) => ((await isAlive(session)) ? [] : [session])),
  );
  const marked: CataloguedSession[] = [];
  for (const { folder } of found.flat()) {
    // It may have ended properly while we looked.
    const meta = await readSessionMeta(folder);
    if (meta.state !== 'running') continue;
    const interrupted = { ...meta, state: 'interrupted' as const };
    await writeSessionMeta(folder, interrupted);
    marked.push({ folder, meta: interrupted });
  }
  return marked;
}

/** Whether the session's recorder lives. */
export async function isAlive({ meta }: CataloguedSession): Promise<boolean> {
  if (!isProcess(meta.host.pid)) return false;
  try {
    (await RecorderClient.connect(meta.hostSocket, PATIENCE_MS)).dispose();
    return true;
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'not-running') return true;
    // Its process number may be somebody else's by now; or it is about to listen, or about to be done.
    const startedMs = Number(meta.startedAtNs / 1_000_000n);
    return Date.now() - startedMs < START_GRACE_MS;
  }
}
