import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import type { Catalogue } from '../../node/catalogue.ts';
import { dataFolder } from '../../node/paths.ts';
import { planPruning, prune } from '../../node/pruneSnapshots.ts';
import { configuration } from '../configuration.ts';

/** A window that has just opened has better things to do. */
const FIRST_MS = 2 * 60 * 1000;
const CHECK_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes what is too old or too much, once a day, whichever window comes first. */
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
    const mark = path.join(dataFolder(), 'snapshots', 'pruned');
    const last = await stat(mark).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (Date.now() - last < DAY_MS) return;
    await mkdir(path.dirname(mark), { recursive: true, mode: 0o700 });
    await writeFile(mark, '', { mode: 0o600 });
    const onSkip = (workspace: string, error: unknown) =>
      this.#log.info(`The snapshots of ${workspace} were left alone: ${messageOf(error)}`);
    for (const plan of await planPruning(this.#catalogue, configuration().retention, onSkip)) {
      try {
        if (plan.expired.length + plan.garbage.length > 0) await prune(plan);
        const { workspace, expired, freedBytes } = plan;
        this.#log.info(`${workspace}: ${expired.length} snapshots removed, ${freedBytes} bytes`);
      } catch (error) {
        onSkip(plan.workspace, error);
      } finally {
        plan.provider.dispose();
      }
    }
  }
}
