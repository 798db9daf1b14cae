import { parentPort, workerData } from 'node:worker_threads';
import { secretsIn } from '../../redaction/redact.ts';
import { messageOf } from '../../base/errors.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { FactIndex } from './factIndex.ts';
import { FactScan } from './factScan.ts';
import type { FactSource } from './factSource.ts';
import type { FromSearchThread, SearchThreadData, ToSearchThread } from './searchThread.ts';

const port = parentPort!;
const { file } = workerData as SearchThreadData;
const order = new Sequencer();
let source: Promise<FactSource> | undefined;

/** One question after the other: each takes in what is new first. */
port.on('message', (question: ToSearchThread) => {
  const { id } = question;
  order
    .queue(() => answer(question))
    .then(
      (facts) => port.postMessage({ id, facts } satisfies FromSearchThread),
      (error: unknown) => {
        // The next question begins with a fresh index.
        source = undefined;
        port.postMessage({ id, error: messageOf(error) } satisfies FromSearchThread);
      },
    );
});

async function answer(question: ToSearchThread) {
  if ((await source)?.isGone) {
    (await source)?.close();
    source = undefined;
  }
  source ??= openSource();
  const facts = await source;
  await facts.update(question.sessions);
  if (question.ask === 'search') return facts.search(question.text, question.limit);
  return facts.latest(question.kinds, question.limit);
}

async function openSource(): Promise<FactSource> {
  const secrets = secretsIn(process.env);
  const hasDatabase = await import('node:sqlite').then(
    () => true,
    () => false,
  );
  return hasDatabase ? FactIndex.open(file, secrets) : new FactScan(secrets);
}
