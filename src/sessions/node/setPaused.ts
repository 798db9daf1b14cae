import type { CataloguedSession } from './catalogue.ts';
import { RecorderClient } from './recorderClient.ts';
import { changeSessionNotes } from './sessionNotes.ts';

/**
 * Pauses or resumes the recording of a running session. Returns when the change is in effect.
 * @throws UserError `not-running` when it has ended
 */
export async function setPaused(
  { meta, folder }: Pick<CataloguedSession, 'meta' | 'folder'>,
  isPaused: boolean,
): Promise<void> {
  const client = await RecorderClient.connect(meta.hostSocket);
  try {
    await client.setPaused(isPaused);
  } finally {
    client.dispose();
  }
  await changeSessionNotes(folder, { isPaused });
}
