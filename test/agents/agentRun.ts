import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { NO_ADDITIONS, type AgentAdapter, type HookCall } from '../../src/agents/common/adapter.ts';
import type { AgentEvent, AgentStatus } from '../../src/agents/common/events/events.ts';
import { LiveSession } from '../../src/agents/common/liveSession.ts';
import { adapterOf } from '../../src/agents/adapters/adapters.ts';
import { shellQuoted } from '../../src/agents/common/shellQuoted.ts';
import { AgentCapture } from '../../src/agents/node/capture/agentCapture.ts';
import { RecorderClient } from '../../src/sessions/node/recorderClient.ts';
import { SystemClock } from '../../src/platform/node/systemClock.ts';
import { outputOf, readRecording, until, type AhSandbox } from '../support/ah.ts';
import { MockProvider } from '../mockProvider/mockProvider.ts';
import { namedScenario } from '../mockProvider/scenario.ts';
import type { AgentSetup } from './agentSetup.ts';

const COLS = 120;
const ROWS = 40;
/** Long enough for the slowest agent to start on a busy machine. */
const SETTLED_MS = 240_000;

/** A real agent in a recorded terminal, with the mock provider and everything captured from it. */
export class AgentRun {
  readonly cwd: string;
  readonly home: string;
  readonly events: AgentEvent[] = [];
  readonly errors: unknown[] = [];
  /** Received calls of hooks and lines of transcripts. */
  readonly hookCalls: HookCall[] = [];
  readonly lines: string[] = [];
  readonly provider: MockProvider;
  readonly #sandbox: AhSandbox;
  readonly #setup: AgentSetup;
  readonly #clock = new SystemClock();
  readonly #live = new LiveSession();
  #capture!: AgentCapture;
  #session!: Awaited<ReturnType<AhSandbox['launch']>>;
  #client: RecorderClient | undefined;
  /** The output so far. */
  #output = '';

  private constructor(sandbox: AhSandbox, setup: AgentSetup, provider: MockProvider, cwd: string) {
    this.#sandbox = sandbox;
    this.#setup = setup;
    this.provider = provider;
    this.cwd = cwd;
    this.home = path.join(sandbox.folder, 'home');
  }

  static async start(
    sandbox: AhSandbox,
    setup: AgentSetup,
    args: (setup: AgentSetup, url: string) => string[],
    hasHooks = true,
  ): Promise<AgentRun> {
    const folder = path.join(sandbox.folder, 'work space');
    mkdirSync(folder, { recursive: true });
    const cwd = realpathSync(folder);
    execFileSync('git', ['init', '-q', cwd]);
    const provider = await MockProvider.start(namedScenario('three-tools', { cwd }));
    const run = new AgentRun(sandbox, setup, provider, cwd);
    await run.#launch(args(setup, provider.url), hasHooks);
    return run;
  }

  async #launch(args: string[], hasHooks: boolean): Promise<void> {
    const setup = this.#setup;
    const { home, cwd } = this;
    // Agents put reports and sockets into a folder that the test removes.
    const temporary = path.join(this.#sandbox.folder, 'tmp');
    for (const folder of [home, temporary]) mkdirSync(folder, { recursive: true });
    const env: Record<string, string> = {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      TMPDIR: temporary,
      ...setup.env({ home, url: this.provider.url }),
    };
    this.#capture = await AgentCapture.open({
      adapter: this.#observed(adapterOf(setup.agent)!),
      place: { env, home, cwd },
      folder: path.join(this.#sandbox.folder, 'capture'),
      clock: this.#clock,
      mayBypassTrust: true,
      waitMs: () => 1000,
      onEvents: (events) => {
        this.events.push(...events);
        for (const event of events) this.#live.push(event);
      },
      onError: (error) => this.errors.push(error),
    });
    const additions = hasHooks ? this.#capture.additions : NO_ADDITIONS;
    const relay = path.join(this.#sandbox.folder, 'capture/hooks/relay.sh');
    const hooks = (event: string): string => ['/bin/sh', relay, event].map(shellQuoted).join(' ');
    setup.prepare({ home, cwd, hooks: hasHooks ? hooks : () => 'true' });
    this.#session = await this.#sandbox.launch([setup.program, ...additions.args, ...args], {
      cwd,
      cols: COLS,
      rows: ROWS,
      env: { ...env, ...additions.env },
    });
    await this.#watch();
  }

  /** The adapter, which also stores all its input for fixtures. */
  #observed(adapter: AgentAdapter): AgentAdapter {
    return {
      ...adapter,
      hookEvents: (call) => {
        this.hookCalls.push(call);
        return adapter.hookEvents(call);
      },
      createParser: () => {
        const parser = adapter.createParser();
        return {
          push: (line, seenNs) => {
            this.lines.push(line);
            return parser.push(line, seenNs);
          },
        };
      },
    };
  }

  async #watch(): Promise<void> {
    const client = await RecorderClient.connect(this.#session.hostSocket);
    this.#client = client;
    const decoder = new TextDecoder();
    client.onOutput((bytes) => {
      this.#output += decoder.decode(bytes, { stream: true });
      client.acknowledge(bytes.length);
      this.#live.output(this.#clock.nowNs());
      for (const match of this.#output.slice(-bytes.length - 200).matchAll(TITLE)) {
        this.#capture.titleChanged(match[1]!);
      }
    });
    const attach = { from: 'start', answersQueries: false, lossless: true } as const;
    await client.attach({ ...attach, windowBytes: 1024 * 1024, historyLines: 0 });
  }

  type(text: string): void {
    this.#client!.input(new TextEncoder().encode(text));
  }

  /** The present status. */
  get status(): AgentStatus {
    return this.#live.status(this.#clock.nowNs()).status;
  }

  async untilStatus(status: AgentStatus, timeoutMs = 30_000): Promise<void> {
    await until(() => this.status === status, `the status ${status}`, timeoutMs);
  }

  get screenText(): string {
    return this.#output.replace(ESCAPES, '');
  }

  async untilScreen(pattern: RegExp, timeoutMs = 60_000): Promise<void> {
    await until(() => pattern.test(this.screenText), `${pattern} on the screen`, timeoutMs);
  }

  async untilEvent(
    wanted: (event: AgentEvent) => boolean,
    what: string,
    timeoutMs = 30_000,
  ): Promise<AgentEvent> {
    await until(() => this.events.some(wanted), what, timeoutMs);
    return this.events.find(wanted)!;
  }

  /** Waits until the program has ended and all its records are read. */
  async ended(): Promise<void> {
    await this.#sandbox.settled(SETTLED_MS);
    await this.#capture.finish();
  }

  async output(): Promise<string> {
    return outputOf((await readRecording(this.#session.recording)).records).toString();
  }

  async dispose(): Promise<void> {
    // Kill the agent first: it would keep writing into its home while the home is removed.
    await this.#client?.stop().catch(() => {});
    this.#client?.dispose();
    await this.#sandbox.settled(SETTLED_MS);
    this.#capture.dispose();
    await this.provider.stop();
  }
}

const TITLE = /\x1b\][02];([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
/** Escape sequences. */
export const ESCAPES =
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?>=<]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g;
