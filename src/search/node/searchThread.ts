import { Worker } from 'node:worker_threads';
import type { FactKind } from '../../agents/common/events/fact.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ThreadTransport } from '../../platform/node/transports/threadTransport.ts';
import { Channel, type RequesterProtocol } from '../../rpc/channel.ts';
import { removeIndex } from './factIndex.ts';
import type { FoundFact, SearchedSession } from './factSource.ts';
import type { SearchThreadData, SearchThreadProtocol } from './searchProtocol.ts';

type SearchChannel = Channel<RequesterProtocol, SearchThreadProtocol>;

/**
 * Searches the agents' activity in all sessions on its own thread, because the first search reads
 * all of it. The thread starts with the first request.
 */
export class SearchThread implements Disposable {
  readonly #workerFile: string;
  readonly #indexFile: string;
  readonly #forgets = new Emitter<void>();
  #channel: SearchChannel | undefined;

  /** Fires when the index was deleted, so earlier results may be wrong. */
  readonly onDidForget = this.#forgets.event;

  /** @param workerFile the bundle of `searchWorker.ts` */
  constructor(workerFile: string, indexFile: string) {
    this.#workerFile = workerFile;
    this.#indexFile = indexFile;
  }

  async search(
    text: string,
    sessions: readonly SearchedSession[],
    limit: number,
  ): Promise<readonly FoundFact[]> {
    const params = { text, sessions: idsAndFolders(sessions), limit };
    return (await this.#running().request('search', params)).body;
  }

  async latest(
    kinds: readonly FactKind[],
    sessions: readonly SearchedSession[],
    limit: number,
  ): Promise<readonly FoundFact[]> {
    const params = { kinds, sessions: idsAndFolders(sessions), limit };
    return (await this.#running().request('latest', params)).body;
  }

  /** Deletes the index; the next request creates it again. */
  forget(): void {
    this.#end();
    removeIndex(this.#indexFile);
    this.#forgets.fire();
  }

  dispose(): void {
    this.#forgets.dispose();
    this.#end();
  }

  #running(): SearchChannel {
    return (this.#channel ??= this.#start());
  }

  #start(): SearchChannel {
    const workerData: SearchThreadData = { indexFile: this.#indexFile };
    const worker = new Worker(this.#workerFile, { workerData });
    worker.unref();
    const channel: SearchChannel = new Channel(new ThreadTransport(worker), {}, {});
    // The next request starts another thread.
    channel.onDidClose(() => {
      if (this.#channel === channel) this.#channel = undefined;
    });
    return channel;
  }

  #end(): void {
    this.#channel?.dispose();
  }
}

/** Other fields of a session are not copied to the thread. */
function idsAndFolders(sessions: readonly SearchedSession[]): SearchedSession[] {
  return sessions.map(({ id, folder }) => ({ id, folder }));
}
