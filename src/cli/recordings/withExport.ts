import { sessionOfRecording } from '../../sessions/node/sessionOfRecording.ts';
import { checkScrubFinished } from '../../sessions/node/unfinishedScrubs.ts';
import { withRecording, type OpenedRecording } from './withRecording.ts';

/**
 * Like {@link withRecording}, for commands that export text.
 * @throws UserError `scrub-unfinished` if the text could contain what a scrub has yet to remove
 */
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
