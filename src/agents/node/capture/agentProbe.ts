import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import type { AgentProbe } from '../../common/detect.ts';
import { findProgram } from '../../../platform/node/processes/findProgram.ts';

/**
 * Some agents start a whole runtime to print their version; a list of agents can't wait for them
 * any longer than this.
 */
const VERSION_TIMEOUT_MS = 3000;

/**
 * Finds programs on the PATH of `env`. Runs `--version` once for each program, and again if its
 * file changes.
 */
export class NodeAgentProbe implements AgentProbe {
  readonly #env: NodeJS.ProcessEnv;
  readonly #versionTimeoutMs: number;
  readonly #versions = new Map<string, Promise<string | undefined>>();

  constructor(env: NodeJS.ProcessEnv = process.env, versionTimeoutMs = VERSION_TIMEOUT_MS) {
    this.#env = env;
    this.#versionTimeoutMs = versionTimeoutMs;
  }

  find(program: string): string | undefined {
    try {
      return findProgram(program, this.#env, '/');
    } catch {
      // Not installed.
      return undefined;
    }
  }

  versionText(program: string): Promise<string | undefined> {
    const key = `${program}\0${statSync(program, { throwIfNoEntry: false })?.mtimeMs}`;
    const known = this.#versions.get(key);
    if (known) return known;
    const asked = this.#ask(program);
    this.#versions.set(key, asked);
    // A program that was too slow may be faster next time.
    void asked.then((text) => text ?? this.#versions.delete(key));
    return asked;
  }

  #ask(program: string): Promise<string | undefined> {
    // Does not use `nodeExec`, which adds to the environment of this process instead of replacing
    // it.
    const options = { env: this.#env, timeout: this.#versionTimeoutMs, maxBuffer: 64 * 1024 };
    return new Promise((resolve) => {
      const child = execFile(program, ['--version'], options, (error, stdout) =>
        resolve(error ? undefined : stdout),
      );
      child.stdin?.end();
    });
  }
}
