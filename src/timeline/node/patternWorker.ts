import { parentPort, workerData } from 'node:worker_threads';
import { compileQuery, matchesIn, type SearchQuery } from '../common/searchQuery.ts';

/** Looks for one expression in the texts that it is sent, for as long as that takes: whoever waits may end it. */

const pattern = compileQuery(workerData as SearchQuery);

parentPort!.on('message', (text: string) => parentPort!.postMessage(matchesIn(text, pattern)));
// From now on time counts: how long a thread takes to start says nothing of the expression.
parentPort!.postMessage('ready');
