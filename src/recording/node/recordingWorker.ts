import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import { RecordingContent } from '../../terminal/lines/recordingContent.ts';
import { yieldEvery } from '../../platform/shared/yieldEvery.ts';
import { brotliDecompressor } from '../../platform/node/files/brotli.ts';
import { FollowedFile } from '../../platform/node/files/followedFile.ts';
import { ReceivedFile } from '../../terminal/lines/receivedFile.ts';
import type {
  FromRecordingThread,
  RecordingThreadData,
  ToRecordingThread,
} from './recordingThread.ts';

/** How long a question may wait while the recording is played. */
const WORK_MS = 50;

const port = parentPort!;
const { file } = workerData as RecordingThreadData;
const received = new ReceivedFile();
const content = new RecordingContent({
  source: file === undefined ? received : new FollowedFile(file),
  decompressor: brotliDecompressor,
  breathe: yieldEvery(WORK_MS),
});
const post = (message: FromRecordingThread): void => port.postMessage(message);
content.onDidChange((state) => post({ state }));

/** Questions are answered while a refresh goes on; two refreshes follow one another. */
port.on('message', (question: ToRecordingThread) => {
  const { id } = question;
  answer(question).then(
    (items) => post(items ? { id, items } : { id }),
    (error: unknown) => post({ id, error: messageOf(error) }),
  );
});

function answer(question: ToRecordingThread) {
  if (question.ask === 'items') return content.items(question.from, question.to);
  const { sent } = question;
  if (sent && 'bytes' in sent) received.receive(sent.bytes);
  else if (sent) received.fail(sent.failure);
  return content.refresh();
}
