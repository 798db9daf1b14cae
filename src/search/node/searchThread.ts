import { Worker } from 'node:worker_threads';
import type { FactKind } from '../../agents/common/fact.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { removeIndex } from './factIndex.ts';
import type { FoundFact, SearchedSession } from './factSource.ts';

export interface SearchThreadData {
  /** Of the index. */
  readonly file: string;
}

interface Question {
  readonly id: number;
  /** All that there are: what is known of others is forgotten. */
  readonly sessions: readonly SearchedSession[];
  readonly limit: number;
}

export type ToSearchThread =
  | (Question & { readonly ask: 'search'; readonly text: string })
  | (Question & { readonly ask: 'latest'; readonly kinds: readonly FactKind[] });

export type FromSearchThread =
  | { readonly id: number; readonly facts: readonly FoundFact[] }
  | { readonly id: number; readonly error: string };

interface Waiting {
  resolve(facts: readonly FoundFact[]): void;
  reject(error: Error): void;
}

/** Searches what all sessions did, on a thread of its own: the first time, all of it is read. Started when first asked. */
export class SearchThread implements Disposable {
  readonly #workerFile: string;
  readonly #indexFile: string;
  readonly #waiting = new Map<number, Waiting>();
  readonly #forgets = new Emitter<void>();
  #worker: Worker | undefined;
  #nextId = 1;

  /** What was found before may be wrong now. */
  readonly onDidForget = this.#forgets.event;

  /** @param workerFile the bundle of `searchWorker.ts` */
  constructor(workerFile: string, indexFile: string) {
    this.#workerFile = workerFile;
    this.#indexFile = indexFile;
  }

  search(
    text: string,
    sessions: readonly SearchedSession[],
    limit: number,
  ): Promise<readonly FoundFact[]> {
    return this.#ask((id) => ({ id, ask: 'search', text, sessions: plain(sessions), limit }));
  }

  latest(
    kinds: readonly FactKind[],
    sessions: readonly SearchedSession[],
    limit: number,
  ): Promise<readonly FoundFact[]> {
    return this.#ask((id) => ({ id, ask: 'latest', kinds, sessions: plain(sessions), limit }));
  }

  /** Takes the index away; the next question makes it anew. */
  forget(): void {
    this.#end();
    removeIndex(this.#indexFile);
    this.#forgets.fire();
  }

  dispose(): void {
    this.#forgets.dispose();
    this.#end();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#fail(new Error('The search was closed.'));
    void worker?.terminate();
  }

  #ask(question: (id: number) => ToSearchThread): Promise<readonly FoundFact[]> {
    const worker = (this.#worker ??= this.#start());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage(question(id));
    });
  }

  #start(): Worker {
    const workerData: SearchThreadData = { file: this.#indexFile };
    const worker = new Worker(this.#workerFile, { workerData });
    worker.unref();
    worker.on('message', (message: FromSearchThread) => this.#receive(message));
    worker.on('error', (error: Error) => this.#ended(worker, error));
    worker.on('exit', () => this.#ended(worker, new Error('The thread of the search has ended.')));
    return worker;
  }

  /** The next question starts another. */
  #ended(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#fail(error);
  }

  #receive(message: FromSearchThread): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.facts);
  }

  #fail(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

/** Nothing else of a session has to cross. */
function plain(sessions: readonly SearchedSession[]): SearchedSession[] {
  return sessions.map(({ id, folder }) => ({ id, folder }));
}
