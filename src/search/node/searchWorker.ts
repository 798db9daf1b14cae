import { workerData } from 'node:worker_threads';
import { Sequencer } from '../../base/sequencer.ts';
import { parentTransport } from '../../platform/node/transports/threadTransport.ts';
import { secretsIn } from '../../redaction/redact.ts';
import { Channel, type Payload, type RequesterProtocol } from '../../rpc/channel.ts';
import { FactIndex } from './factIndex.ts';
import { FactScan } from './factScan.ts';
import type { FactSource, FoundFact, SearchedSession } from './factSource.ts';
import type {
  LatestParams,
  SearchParams,
  SearchThreadData,
  SearchThreadProtocol,
} from './searchProtocol.ts';

const { indexFile } = workerData as SearchThreadData;
const requests = new Sequencer();
let source: Promise<FactSource> | undefined;

new Channel<SearchThreadProtocol, RequesterProtocol>(
  parentTransport(),
  {
    search: (params) => {
      const { sessions, text, limit } = params as SearchParams;
      return find(sessions, (facts) => facts.search(text, limit));
    },
    latest: (params) => {
      const { sessions, kinds, limit } = params as LatestParams;
      return find(sessions, (facts) => facts.latest(kinds, limit));
    },
  },
  {},
);

/** Runs one request at a time, because each request indexes new events first. */
function find(
  sessions: readonly SearchedSession[],
  read: (facts: FactSource) => Promise<readonly FoundFact[]>,
): Promise<Payload<readonly FoundFact[]>> {
  return requests.queue(async () => {
    try {
      const facts = await currentSource();
      await facts.update(sessions);
      return { body: await read(facts) };
    } catch (error) {
      // Make the next request open the index again.
      source = undefined;
      throw error;
    }
  });
}

async function currentSource(): Promise<FactSource> {
  const open = await source;
  if (open?.isGone) {
    open.close();
    source = undefined;
  }
  return (source ??= openSource());
}

async function openSource(): Promise<FactSource> {
  const secrets = secretsIn(process.env);
  const hasDatabase = await import('node:sqlite').then(
    () => true,
    () => false, // This version of Node has no SQLite.
  );
  return hasDatabase ? FactIndex.open(indexFile, secrets) : new FactScan(secrets);
}
