import type * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import type { Catalogue } from '../../sessions/node/catalogue.ts';
import { pruneDaily } from '../../snapshots/node/prune/dailyPruning.ts';
import { dataFolder } from '../../platform/node/paths.ts';
import { configuration } from '../configuration.ts';

/** Delay before the first check, because a window is busy while it opens. */
const FIRST_MS = 2 * 60 * 1000;
const CHECK_MS = 60 * 60 * 1000;

/** Prunes snapshots once a day, in the first window that checks. */
export class Pruning implements vscode.Disposable {
  readonly #catalogue: Catalogue;
  readonly #log: vscode.LogOutputChannel;
  #timer: NodeJS.Timeout;

  constructor(catalogue: Catalogue, log: vscode.LogOutputChannel) {
    this.#catalogue = catalogue;
    this.#log = log;
    this.#timer = this.#later(FIRST_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #later(delayMs: number): NodeJS.Timeout {
    const run = () => {
      void this.#run().catch((error: unknown) => this.#log.warn(messageOf(error)));
      this.#timer = this.#later(CHECK_MS);
    };
    return setTimeout(run, delayMs).unref();
  }

  async #run(): Promise<void> {
    await pruneDaily({
      catalogue: this.#catalogue,
      branches: new BranchRegistry(),
      policy: configuration().retention,
      dataFolder: dataFolder(),
      nowMs: Date.now(),
      log: (text) => this.#log.info(text),
    });
  }
}
