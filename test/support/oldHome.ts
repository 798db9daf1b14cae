import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { AhSandbox, cliFile, collect, until, type RunResult } from './ah.ts';
import { packFixture, unpackFixture } from './oldFixtures.ts';
import { unmount } from './volumes/unmount.ts';

/** Absolute paths are in the data, so that it is unpacked where it was made, whatever the folder for temporary files is. */
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

  /** Of the sessions, as `AH_DATA_DIR` says. */
  get data(): string {
    return path.join(this.folder, 'data');
  }

  /** Of the user, where agents keep what they know. */
  get user(): string {
    return path.join(this.folder, 'user');
  }

  /** Where the project's files are, on the disk of the kind. */
  get files(): string {
    return path.join(this.folder, 'files');
  }

  get project(): string {
    return path.join(this.files, 'project');
  }

  get image(): string {
    return path.join(this.folder, 'image');
  }

  /** Fixed, so that nothing of the environment of the test's user gets into the data. */
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

  /** What it prints when it succeeds; throws with what it complained about. */
  async out(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(...args);
    if (exitCode !== 0) throw new Error(`ah agent ${args.join(' ')}: ${exitCode} ${stderr}`);
    return stdout.toString();
  }

  /** Waits until no recorder writes to it any more. */
  settled(): Promise<void> {
    return new AhSandbox(this.data).settled();
  }

  /** Makes the place free for this process: another run of the tests on the same machine wants the same one. */
  async claim(): Promise<void> {
    await until(async () => this.#claim !== undefined || (await this.#tryToClaim()), this.folder);
    await this.#clear();
  }

  async unpack(): Promise<void> {
    await this.claim();
    unpackFixture(this.kind, path.dirname(this.folder));
    this.mount();
  }

  /** What is in its folder becomes the fixture. */
  async pack(): Promise<void> {
    if (this.kind === 'btrfs') await unmount(this.files);
    packFixture(this.kind, this.folder);
  }

  mount(): void {
    mkdirSync(this.files, { recursive: true });
    // The kernel frees the loop device by itself when the file system is unmounted.
    if (this.kind === 'btrfs') execFileSync('mount', ['-o', 'loop', this.image, this.files]);
  }

  async remove(): Promise<void> {
    await this.#clear();
    this.#claim?.close();
    this.#claim = undefined;
  }

  /** Of whatever is there, also of what a killed run left. */
  async #clear(): Promise<void> {
    await new AhSandbox(this.data).killRecorders();
    if (spawnSync('mountpoint', ['-q', this.files]).status === 0) await unmount(this.files);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** A socket without a file is gone with its process, however that ends. */
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

/** Call in a `describe`: every test gets the home as it was written. */
export function useOldHome(kind: OldKind): OldHome {
  const home = new OldHome(kind);
  beforeEach(() => home.unpack());
  afterEach(() => home.remove());
  return home;
}
