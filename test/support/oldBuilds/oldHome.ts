import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { AhSandbox, cliFile, collect, until, type RunResult } from '../ah.ts';
import { packFixture, unpackFixture } from './oldFixtures.ts';
import { unmount } from '../volumes/unmount.ts';

/** The data contains absolute paths: it must be unpacked where it was created, not in any temporary folder. */
const PLACE = '/tmp/ah-old-home';

export type OldKind = 'git' | 'btrfs';

/** Sessions, snapshots and a branch that an old build wrote: see test/fixtures/oldHomes/README.md. */
export class OldHome {
  readonly kind: OldKind;
  readonly folder: string;
  #claim: Server | undefined;

  constructor(kind: OldKind) {
    this.kind = kind;
    this.folder = `${PLACE}-${kind}`;
  }

  /** The data folder, `AH_DATA_DIR`. */
  get data(): string {
    return path.join(this.folder, 'data');
  }

  /** The user's home, where agents store their memory. */
  get user(): string {
    return path.join(this.folder, 'user');
  }

  /** The project's files, on the provider's disk. */
  get files(): string {
    return path.join(this.folder, 'files');
  }

  get project(): string {
    return path.join(this.files, 'project');
  }

  get image(): string {
    return path.join(this.folder, 'image');
  }

  /** Fixed, so that the data does not depend on the environment of the tests. */
  get env(): NodeJS.ProcessEnv {
    return {
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      HOME: this.user,
      AH_DATA_DIR: this.data,
      GIT_CONFIG_NOSYSTEM: '1',
    };
  }

  /** `ah agent …` in the project's folder. */
  run(...args: string[]): Promise<RunResult> {
    const options = { env: this.env, cwd: this.project, stdio: 'pipe' } as const;
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], options);
    child.stdin.end();
    return collect(child);
  }

  /** Returns the output; throws with the error output. */
  async out(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(...args);
    if (exitCode !== 0) throw new Error(`ah agent ${args.join(' ')}: ${exitCode} ${stderr}`);
    return stdout.toString();
  }

  /** Waits until no recorder writes to the home. */
  settled(): Promise<void> {
    return new AhSandbox(this.data).settled();
  }

  /** Locks the place, because other test runs on this machine use the same one. */
  async claim(): Promise<void> {
    await until(async () => this.#claim !== undefined || (await this.#tryToClaim()), this.folder);
    await this.#clear();
  }

  async unpack(): Promise<void> {
    await this.claim();
    unpackFixture(this.kind, path.dirname(this.folder));
    this.mount();
  }

  /** Packs the folder as the fixture. */
  async pack(): Promise<void> {
    if (this.kind === 'btrfs') await unmount(this.files);
    packFixture(this.kind, this.folder);
  }

  mount(): void {
    mkdirSync(this.files, { recursive: true });
    // The kernel frees the loop device when the file system is unmounted.
    if (this.kind === 'btrfs') execFileSync('mount', ['-o', 'loop', this.image, this.files]);
  }

  async remove(): Promise<void> {
    await this.#clear();
    this.#claim?.close();
    this.#claim = undefined;
  }

  /** Removes the home, also one that a killed run left. */
  async #clear(): Promise<void> {
    await new AhSandbox(this.data).killRecorders();
    if (spawnSync('mountpoint', ['-q', this.files]).status === 0) await unmount(this.files);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Claims the folder with an abstract socket, which disappears when its process ends. */
  async #tryToClaim(): Promise<boolean> {
    const server = createServer().listen(`\0${this.folder}`);
    const isListening = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isListening) this.#claim = server.unref();
    return isListening;
  }
}

/** Call in a `describe`: every test gets the unchanged home. */
export function useOldHome(kind: OldKind): OldHome {
  const home = new OldHome(kind);
  beforeEach(() => home.unpack());
  afterEach(() => home.remove());
  return home;
}
