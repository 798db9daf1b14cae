import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentEvent } from '../../src/agents/common/events/events.ts';
import type { Catalogue } from '../../src/sessions/node/catalogue.ts';
import { readEvents } from '../../src/sessions/node/eventsFile.ts';
import { readSnapshots } from '../../src/snapshots/node/list/snapshotsFile.ts';
import type { SnapshotLine } from '../../src/snapshots/common/snapshotLine.ts';
import {
  cliFile,
  collect,
  outputOf,
  readRecording,
  type AhSandbox,
  type LaunchedSession,
  type RunResult,
} from '../support/ah.ts';
import { MockProvider } from '../mockProvider/mockProvider.ts';
import { namedScenario } from '../mockProvider/scenario.ts';
import type { AgentSetup } from './agentSetup.ts';

const SETTLED_MS = 240_000;
/** If two scenarios answer the same prompt, the first one wins. */
const SCENARIOS = ['branching', 'parallel', 'three-tools'];
const GIT_AS = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];

/** A home, a repository and a mock provider, in which a real agent is recorded. */
export class AgentLab {
  readonly home: string;
  readonly cwd: string;
  /** The folder for a branch; doesn't exist yet. */
  readonly branch: string;
  readonly provider: MockProvider;
  readonly setup: AgentSetup;
  readonly #sandbox: AhSandbox;

  private constructor(sandbox: AhSandbox, setup: AgentSetup, provider: MockProvider, root: string) {
    this.#sandbox = sandbox;
    this.setup = setup;
    this.provider = provider;
    this.home = path.join(root, 'home');
    this.cwd = path.join(root, 'work space');
    this.branch = path.join(root, 'bränch 1');
  }

  static async make(sandbox: AhSandbox, setup: AgentSetup): Promise<AgentLab> {
    const root = realpathSync(sandbox.folder);
    const folders = { cwd: path.join(root, 'work space'), branch: path.join(root, 'bränch 1') };
    const turns = SCENARIOS.flatMap((name) => namedScenario(name, folders).turns);
    const provider = await MockProvider.start({ turns });
    const lab = new AgentLab(sandbox, setup, provider, root);
    for (const folder of [lab.home, lab.cwd, path.join(root, 'tmp')])
      mkdirSync(folder, { recursive: true });
    lab.git('init', '-q', '-b', 'main');
    writeFileSync(path.join(lab.cwd, 'committed.txt'), 'committed\n');
    lab.git('add', '.');
    lab.git(...GIT_AS, 'commit', '-q', '-m', 'First');
    writeFileSync(path.join(lab.cwd, 'staged.txt'), 'staged\n');
    lab.git('add', 'staged.txt');
    setup.prepare({ home: lab.home, cwd: lab.cwd, hooks: () => 'true' });
    return lab;
  }

  get env(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      TMPDIR: path.join(this.#sandbox.folder, 'tmp'),
      ...this.setup.env({ home: this.home, url: this.provider.url }),
    };
  }

  /** Runs the agent to its end, recorded and followed. */
  async record(args: readonly string[], where: RecordWhere = {}): Promise<RecordedAgent> {
    const { cwd = this.cwd, program = this.setup.program } = where;
    const session = await this.start(args, where);
    await this.#sandbox.settled(SETTLED_MS);
    const screen = outputOf((await readRecording(session.recording)).records).toString();
    const { folder } = session;
    return {
      session,
      screen,
      cwd,
      cmd: [program, ...args],
      events: await readEvents(folder),
      snapshots: await readSnapshots(folder),
    };
  }

  /** Starts the agent; the caller must stop it. */
  async start(args: readonly string[], where: RecordWhere = {}): Promise<LaunchedSession> {
    const { cwd = this.cwd, env = this.env, program = this.setup.program } = where;
    return this.#sandbox.launch([program, ...args], {
      cwd,
      env,
      agent: this.setup.agent,
      workspace: cwd,
      cols: 120,
      rows: 40,
      ...(where.allowsUnreviewedHooks === true && { allowsUnreviewedHooks: true }),
    });
  }

  async settled(): Promise<void> {
    await this.#sandbox.settled(SETTLED_MS);
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.cwd, encoding: 'utf8' });
  }

  /** Runs the `ah` command line in the workspace. */
  ah(...args: string[]): Promise<RunResult> {
    return collect(this.startAh(...args));
  }

  startAh(...args: string[]): ChildProcess {
    const env = { ...this.env, AH_DATA_DIR: this.#sandbox.folder };
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], {
      env,
      cwd: this.cwd,
      stdio: 'pipe',
    });
    child.stdin.end();
    return child;
  }

  get catalogue(): Catalogue {
    return this.#sandbox.catalogue;
  }

  get recorders(): number[] {
    return this.#sandbox.recorders();
  }
}

export interface RecordWhere {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string;
  readonly allowsUnreviewedHooks?: boolean;
}

export interface RecordedAgent {
  readonly session: LaunchedSession;
  readonly cmd: readonly string[];
  readonly cwd: string;
  readonly screen: string;
  readonly events: readonly AgentEvent[];
  readonly snapshots: readonly SnapshotLine[];
}
