import { workerData } from 'node:worker_threads';
import { brotliDecompressor } from '../../platform/node/files/brotli.ts';
import { FollowedFile } from '../../platform/node/files/followedFile.ts';
import { parentTransport } from '../../platform/node/transports/threadTransport.ts';
import { yieldEvery } from '../../platform/shared/yieldEvery.ts';
import { Channel } from '../../rpc/channel.ts';
import { sessionOfRecording, unicodeVersionOf } from '../../sessions/node/sessionOfRecording.ts';
import { ReceivedFile } from '../../terminal/lines/receivedFile.ts';
import { RecordingContent } from '../../terminal/lines/recordingContent.ts';
import type {
  ItemsParams,
  RecordingClientProtocol,
  RecordingThreadData,
  RecordingThreadProtocol,
  RefreshParams,
} from './recordingProtocol.ts';

/** The longest that a request waits while the recording is played. */
const WORK_MS = 50;

const { file } = workerData as RecordingThreadData;
const received = new ReceivedFile();
const content = new RecordingContent({
  source: file === undefined ? received : new FollowedFile(file),
  decompressor: brotliDecompressor,
  ...(file !== undefined && {
    unicodeVersion: async () => unicodeVersionOf(await sessionOfRecording(file)),
  }),
  pause: yieldEvery(WORK_MS),
});

// The thread answers requests for items during a refresh; it runs one refresh at a time.
const channel = new Channel<RecordingThreadProtocol, RecordingClientProtocol>(
  parentTransport(),
  {
    refresh: async (params, bytes) => {
      const { failure } = params as RefreshParams;
      if (failure) received.fail(failure);
      else if (bytes) received.receive(bytes);
      await content.refresh();
      return { body: null };
    },
    items: async (params) => {
      const { from, to } = params as ItemsParams;
      return { body: await content.items(from, to) };
    },
  },
  {},
);
content.onDidChange((state) => channel.notify('state', state));
