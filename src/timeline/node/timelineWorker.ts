import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { UserError } from '../../base/errors.ts';
import { Channel } from '../../rpc/channel.ts';
import { parseActivity, parseOpen, parseSearch } from '../common/protocol/parseRequests.ts';
import { parseSeekTarget, parsePlace } from '../common/protocol/playbackCodec.ts';
import type {
  TimelineThreadClientProtocol,
  TimelineThreadProtocol,
} from '../common/protocol/timelineProtocol.ts';
import { parentTransport } from '../../platform/node/transports/threadTransport.ts';
import { TimelineServer, type Notify } from './timelineServer.ts';

/** Reads one recording on its own thread, so that the extension host stays responsive. */

/** A running recorder writes every tenth of a second; a finished recording can only be replaced. */
const REFRESH_MS = 150;
const REFRESH_FINISHED_MS = 1500;
/** Indexing competes with the page that is starting, so it waits until the first frame is drawn. */
const FIRST_REFRESH_MS = 2000;
const REFRESH_AFTER_FRAME_MS = 400;

/**
 * The script of the pattern thread is in the folder of this file and of the same kind: a bundle, or
 * a source file.
 */
const THIS_FILE = process.argv[1] ?? '';
const PATTERN_WORKER_FILE = path.join(
  path.dirname(THIS_FILE),
  `patternWorker${path.extname(THIS_FILE)}`,
);

let server: TimelineServer | undefined;
let isRefreshing = false;
let hasStarted = false;

const channel = new Channel<TimelineThreadProtocol, TimelineThreadClientProtocol>(
  parentTransport(),
  {
    open: async (params) => {
      const { file, texts } = parseOpen(params);
      l10n.config({ contents: texts });
      const notify: Notify = (name, body) => channel.notify(name, body);
      const opened = new TimelineServer(file, notify, PATTERN_WORKER_FILE);
      const body = await opened.open();
      server = opened;
      setTimeout(startRefreshing, FIRST_REFRESH_MS);
      return { body };
    },
    frame: async (params) => {
      const frame = await current().frame(parseSeekTarget(params));
      if (!hasStarted) setTimeout(startRefreshing, REFRESH_AFTER_FRAME_MS);
      return frame;
    },
    range: async (params) => current().range(parsePlace(params)),
    activity: (params) => {
      const { edges } = parseActivity(params);
      return Promise.resolve({ body: current().activity(edges) });
    },
    search: async (params) => {
      startRefreshing();
      await current().search(parseSearch(params));
      return { body: {} };
    },
    transcribe: () => {
      current().transcribe();
      startRefreshing();
      return Promise.resolve({ body: {} });
    },
  },
  {},
);

function current(): TimelineServer {
  if (!server) throw new UserError('not-open', 'The recording is not open.');
  return server;
}

function startRefreshing(): void {
  if (hasStarted) return;
  hasStarted = true;
  refresh();
}

/** Refreshes repeatedly, each time after the previous refresh has ended. */
function refresh(): void {
  if (isRefreshing) return;
  isRefreshing = true;
  void current()
    .refresh()
    .finally(() => {
      isRefreshing = false;
      setTimeout(refresh, current().isFinished ? REFRESH_FINISHED_MS : REFRESH_MS);
    });
}
