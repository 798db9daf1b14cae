import type { CataloguedSession } from './catalogue.ts';
import { RecorderClient } from './recorderClient.ts';
import { changeSessionNotes } from './sessionNotes.ts';

/**
 * Pauses or resumes capture of a running session.
 * @throws UserError `not-running` when it has ended
 */
export async function setCapture(
  { meta, folder }: Pick<CataloguedSession, 'meta' | 'folder'>,
  isOn: boolean,
): Promise<void> {
  const client = await RecorderClient.connect(meta.hostSocket);
  try {
    await client.setCapture(isOn);
  } finally {
    client.dispose();
  }
  await changeSessionNotes(folder, { isCaptureOff: !isOn });
}
