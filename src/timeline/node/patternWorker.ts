// Matches one regular expression in the texts it receives, for as long as that takes: see
// patternThread.ts.
import { workerData } from 'node:worker_threads';
import { parentTransport } from '../../platform/node/transports/threadTransport.ts';
import { Channel, type RequesterProtocol } from '../../rpc/channel.ts';
import { compileQuery, matchesIn, type SearchQuery } from '../common/search/searchQuery.ts';
import type { PatternThreadProtocol } from './patternProtocol.ts';

const pattern = compileQuery(workerData as SearchQuery);

new Channel<PatternThreadProtocol, RequesterProtocol>(
  parentTransport(),
  {
    start: () => Promise.resolve({ body: null }),
    match: (text) => Promise.resolve({ body: matchesIn(text as string, pattern) }),
  },
  {},
);
