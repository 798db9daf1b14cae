import { sessionOfRecording } from '../../sessions/node/sessionOfRecording.ts';
import { checkScrubFinished } from '../../sessions/node/unfinishedScrubs.ts';
import { withRecording, type OpenedRecording } from './withRecording.ts';

/** Like {@link withRecording}, for a text that leaves the session. @throws UserError `scrub-unfinished` */
export function withExport<T>(
  which: string | undefined,
  task: (recording: OpenedRecording) => Promise<T>,
): Promise<T> {
  return withRecording(which, async (recording) => {
    const meta = recording.session?.meta ?? (await sessionOfRecording(recording.file));
    if (meta) checkScrubFinished(meta.id);
    return task(recording);
  });
}
