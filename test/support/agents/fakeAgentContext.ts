import { Emitter } from '../../../src/base/emitter.ts';
import { toDisposable } from '../../../src/base/lifecycle.ts';
import type {
  AgentContext,
  MomentOutcome,
  ProcessControl,
  TerminalOutput,
  TerminalSize,
} from '../../mockAgent/agentContext.ts';
import { paceAt } from '../../mockAgent/pace.ts';
import { playSteps } from '../../mockAgent/playSteps.ts';
import { Random } from '../../mockAgent/random.ts';
import { parseScenario } from '../../mockAgent/scenario/parseScenario.ts';
import { StatusLine } from '../../mockAgent/terminal/statusLine.ts';
import { TerminalModes } from '../../mockAgent/terminal/terminalModes.ts';
import { Transcript } from '../../mockAgent/transcript/transcript.ts';

/** Collects each write. */
export class FakeOutput implements TerminalOutput {
  readonly writes: Buffer[] = [];
  readonly #resized = new Emitter<TerminalSize>();
  readonly onResize = this.#resized.event;
  #size: TerminalSize = { columns: 80, rows: 24 };

  write(data: string | Uint8Array): Promise<void> {
    this.writes.push(Buffer.from(data as string));
    return Promise.resolve();
  }

  size(): TerminalSize {
    return this.#size;
  }

  resize(columns: number, rows: number): void {
    this.#size = { columns, rows };
    this.#resized.fire(this.#size);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.writes);
  }

  /** Without colors. */
  get plain(): string {
    return this.bytes.toString().replace(/\x1b\[[0-9;]*m/g, '');
  }
}

export interface FakeAgent {
  readonly context: AgentContext;
  readonly output: FakeOutput;
  readonly moments: { label: string; id: bigint | undefined }[];
  readonly records: Record<string, unknown>[];
  /** Effects of steps on the process, in words. */
  readonly processCalls: string[];
  sendSignal(signal: NodeJS.Signals): void;
}

interface FakeAgentOptions {
  readonly folder?: string;
  readonly seed?: number;
  /** The user's input, after which it ends. */
  readonly typed?: string;
  readonly momentOutcome?: MomentOutcome;
}

/** An agent without terminal, process or clock; files are real, in `folder`. */
export function fakeAgent(options: FakeAgentOptions = {}): FakeAgent {
  const { folder = '/nonexistent', seed = 1, momentOutcome = { problem: undefined } } = options;
  const output = new FakeOutput();
  const modes = new TerminalModes(output);
  const moments: FakeAgent['moments'] = [];
  const records: Record<string, unknown>[] = [];
  const processCalls: string[] = [];
  const signals = new Emitter<NodeJS.Signals>();
  let pending = Buffer.from(options.typed ?? '');
  const transcriptFile = {
    appendLine(record: object) {
      records.push(record as Record<string, unknown>);
      return Promise.resolve();
    },
    end: () => Promise.resolve(),
  };
  const identity = { sessionId: 'session-1', cwd: folder, parentUuid: null };
  const context: AgentContext = {
    output,
    modes,
    folder,
    statusLine: new StatusLine(output, modes),
    pace: paceAt(0),
    random: new Random(seed),
    variables: new Map(),
    transcript: new Transcript(transcriptFile, new Random(seed), identity, () => 0),
    input: {
      read(measure) {
        const length = measure(pending);
        const answer = length === undefined ? undefined : pending.subarray(0, length);
        pending = pending.subarray(length ?? pending.length);
        return Promise.resolve(answer);
      },
    },
    moments: {
      announce(label, id) {
        moments.push({ label, id });
        return Promise.resolve(momentOutcome);
      },
    },
    process: fakeProcess(processCalls, signals),
  };
  return {
    context,
    output,
    moments,
    records,
    processCalls,
    sendSignal: (signal) => signals.fire(signal),
  };
}

function fakeProcess(calls: string[], signals: Emitter<NodeJS.Signals>): ProcessControl {
  return {
    dieBySignal: (signal) => Promise.reject(new Error(`died by ${signal}`)),
    dieByException: (message) => Promise.reject(new Error(`died by exception ${message}`)),
    takeSignals(names, listener) {
      calls.push(`take ${names.join(' ')}`);
      const taking = signals.event(listener);
      return toDisposable(() => {
        calls.push('give back');
        taking.dispose();
      });
    },
    leaveBehind: ({ text, durationMs }) => void calls.push(`leave "${text}" for ${durationMs} ms`),
    setOutputProcessing: (enabled) => void calls.push(`output processing ${enabled}`),
  };
}

/** Plays steps written in YAML. */
export async function playYaml(agent: FakeAgent, steps: string): Promise<void> {
  await playSteps(parseScenario(`steps:\n${steps}`, 'test.yaml').steps, agent.context);
}
