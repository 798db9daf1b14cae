import { writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { AgentContext, MomentAnnouncer } from './agentContext.ts';
import { paceAt } from './pace.ts';
import { processControl } from './processControl.ts';
import { Random } from './random.ts';
import type { Scenario } from './scenario/scenario.ts';
import { processInput, processOutput } from './terminal/processTerminal.ts';
import { StatusLine } from './terminal/statusLine.ts';
import { TerminalModes } from './terminal/terminalModes.ts';
import { openTranscript, type TranscriptOptions } from './transcript/openTranscript.ts';
import type { TranscriptListener } from './transcript/transcript.ts';

export interface ContextOptions extends TranscriptOptions {
  readonly folder: string;
  readonly speed: number;
  readonly seed: number | undefined;
  readonly prompt: string | undefined;
  readonly moments: MomentAnnouncer | undefined;
  readonly listener?: TranscriptListener;
}

/** An agent in this process's terminal. A signal that ends it leaves the terminal usable. */
export async function openContext(
  options: ContextOptions,
  scenario: Scenario,
): Promise<AgentContext> {
  const folder = path.resolve(options.folder);
  await mkdir(folder, { recursive: true });
  const output = processOutput();
  const modes = new TerminalModes(output);
  const pace = paceAt(options.speed);
  const seed = options.seed ?? scenario.seed;
  const place = { folder, seed, pace };
  const { listener } = options;
  const transcript = await openTranscript(scenario.transcript, options, place, listener);
  giveTerminalBackOnSignals(modes);
  return {
    output,
    modes,
    pace,
    folder,
    statusLine: new StatusLine(output, modes),
    input: processInput(),
    random: new Random(seed),
    variables: new Map([['prompt', options.prompt ?? '']]),
    moments: options.moments,
    transcript,
    process: processControl,
  };
}

/** The agent restores the terminal, then dies of the signal as it would have without. */
function giveTerminalBackOnSignals(modes: TerminalModes): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      writeSync(process.stdout.fd, modes.undoSequence());
      void processControl.dieBySignal(signal);
    });
  }
}
