import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { UserError } from '../../base/errors.ts';
import { speak } from '../../base/words.ts';
import { Channel } from '../../rpc/channel.ts';
import {
  parseActivity,
  parseFrameParams,
  parseOpen,
  parsePlace,
  parseSearch,
  type TimelineThreadClientProtocol,
  type TimelineThreadProtocol,
} from '../common/webviewProtocol.ts';
import { ThreadTransport } from '../../platform/node/transports/threadTransport.ts';
import { TimelineServer, type Tell } from './timelineServer.ts';

/** Reads one recording for a timeline, on a thread of its own: what it does takes longer than an editor may stand still. */

/** A running recorder writes every tenth of a second; what has ended may only be replaced or deleted. */
const LOOK_MS = 150;
const LOOK_AT_FINISHED_MS = 1500;
/** Reading all of it through keeps processors busy that a page needs to appear: it waits until there is something to see. */
const FIRST_LOOK_MS = 2000;
const LOOK_AFTER_FRAME_MS = 400;

/** Beside this one, and of its kind: a bundle, or the source as it is. */
const THIS_FILE = process.argv[1]!;
const PATTERN_WORKER_FILE = path.join(
  path.dirname(THIS_FILE),
  `patternWorker${path.extname(THIS_FILE)}`,
);

let server: TimelineServer | undefined;
let isLooking = false;
let hasLooked = false;

const channel = new Channel<TimelineThreadProtocol, TimelineThreadClientProtocol>(
  new ThreadTransport(parentPort!),
  {
    open: async (params) => {
      const { file, words } = parseOpen(params);
      speak(words);
      const tell: Tell = (name, body) => channel.notify(name, body);
      const opened = new TimelineServer(file, tell, PATTERN_WORKER_FILE);
      const body = await opened.open();
      server = opened;
      setTimeout(lookFirst, FIRST_LOOK_MS);
      return { body };
    },
    frame: async (params) => {
      const frame = await current().frame(parseFrameParams(params));
      if (!hasLooked) setTimeout(lookFirst, LOOK_AFTER_FRAME_MS);
      return frame;
    },
    range: async (params) => current().range(parsePlace(params)),
    activity: (params) => {
      const { edges } = parseActivity(params);
      return Promise.resolve({ body: current().activity(edges) });
    },
    search: async (params) => {
      lookFirst();
      await current().search(parseSearch(params));
      return { body: {} };
    },
    transcribe: () => {
      current().transcribe();
      lookFirst();
      return Promise.resolve({ body: {} });
    },
  },
  {},
);

function current(): TimelineServer {
  if (!server) throw new UserError('not-open', 'The recording is not open.');
  return server;
}

function lookFirst(): void {
  if (hasLooked) return;
  hasLooked = true;
  look();
}

/** Again and again, each time after the one before is done. */
function look(): void {
  if (isLooking) return;
  isLooking = true;
  void current()
    .refresh()
    .finally(() => {
      isLooking = false;
      setTimeout(look, current().isFinished ? LOOK_AT_FINISHED_MS : LOOK_MS);
    });
}
