import path from 'node:path';
import { parseEventLine } from '../../common/events/eventLine.ts';
import { LiveSession } from '../../common/liveSession.ts';
import { SeenSet } from '../../common/events/seenSet.ts';
import { EVENTS_FILE } from '../../../sessions/node/eventsFile.ts';
import { LineTail } from '../../../platform/node/files/lineTail.ts';

/** Reads a session's events once, without following them; undefined when there are none. */
export async function readLiveSession(folder: string): Promise<LiveSession | undefined> {
  const live = new LiveSession();
  const seen = new SeenSet();
  let isKnown = false;
  const tail = new LineTail(path.join(folder, EVENTS_FILE), {
    onLine: (line) => {
      const event = line === '' ? '' : parseEventLine(line);
      if (typeof event === 'string' || !seen.add(event.id)) return;
      isKnown = true;
      live.push(event);
    },
  });
  await tail.read();
  tail.dispose();
  return isKnown ? live : undefined;
}
