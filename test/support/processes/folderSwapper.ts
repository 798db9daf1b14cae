import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

const MAIN = path.join(import.meta.dirname, 'swapFolderMain.ts');

/** A program that replaces a folder by a link and back, in a tight loop. */
export class FolderSwapper {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
  }

  /** Starts the program, paused. */
  static async start(folder: string, outside: string): Promise<FolderSwapper> {
    const args = ['--disable-warning=ExperimentalWarning', MAIN, folder, outside];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return new FolderSwapper(child);
  }

  /** Swaps until the task ends; then the folder is in its place again. */
  async during<T>(task: () => Promise<T>): Promise<T> {
    await this.#toggle();
    try {
      return await task();
    } finally {
      await this.#toggle();
    }
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }

  async #toggle(): Promise<void> {
    const answer = once(this.#child.stdout, 'data');
    this.#child.stdin.write('\n');
    await answer;
  }
}
