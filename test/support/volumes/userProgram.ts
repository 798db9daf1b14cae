import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';

/**
 * Bundles a program with its own Node, because another user may not be able to read this checkout.
 */
export class UserProgram {
  readonly #folder: string;
  readonly #node: string;
  readonly #script: string;

  constructor(entry: string) {
    this.#folder = mkdtempSync(path.join(tmpdir(), 'ah-user-'));
    chmodSync(this.#folder, 0o755);
    this.#node = path.join(this.#folder, 'node');
    this.#script = path.join(this.#folder, 'program.mjs');
    copyFileSync(process.execPath, this.#node);
    buildSync({
      entryPoints: [entry],
      outfile: this.#script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
  }

  /** Returns what the program printed; throws its errors. */
  run(args: readonly string[], user: number): string {
    const options = { uid: user, gid: user, cwd: '/', encoding: 'utf8' as const };
    const result = spawnSync(this.#node, [this.#script, ...args], options);
    if (result.status !== 0) throw new Error(`${result.stdout}${result.stderr}`);
    return result.stdout.trim();
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
