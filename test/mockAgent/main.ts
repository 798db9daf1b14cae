import { writeSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import type { AgentContext } from './agentContext.ts';
import { parseCommandLine, usage, UsageError, type CommandLine } from './commandLine.ts';
import { momentAnnouncer } from './ipc/momentAnnouncer.ts';
import { paceAt } from './pace.ts';
import { AgentExit, playSteps } from './playSteps.ts';
import { processControl } from './processControl.ts';
import { Random } from './random.ts';
import { parseScenario } from './scenario/parseScenario.ts';
import { ScenarioError, type Scenario } from './scenario/scenario.ts';
import type { Step } from './scenario/step.ts';
import { processInput, processOutput } from './terminal/processTerminal.ts';
import { StatusLine } from './terminal/statusLine.ts';
import { TerminalModes } from './terminal/terminalModes.ts';
import { openTranscript } from './transcript/openTranscript.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

async function main(): Promise<number> {
  const commandLine = parseCommandLine(process.argv.slice(2), process.env);
  if (commandLine === 'help') {
    console.log(usage);
    return 0;
  }
  const scenario = await readScenario(commandLine.scenarioFile);
  const context = await createContext(commandLine, scenario);
  giveTerminalBackOnSignals(context.modes);
  try {
    await playSteps(stepsFor(scenario, commandLine.prompt), context);
    return 0;
  } catch (error) {
    if (error instanceof AgentExit) return error.exitCode;
    throw error;
  } finally {
    await context.output.write(context.modes.undoSequence());
    await context.transcript.turnEnded(Math.round(context.pace.elapsedMs));
    await context.transcript.end();
  }
}

async function readScenario(file: string): Promise<Scenario> {
  const source = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`The scenario cannot be read: ${messageOf(error)}.`);
  });
  return parseScenario(source, path.basename(file));
}

/** With an instruction: what the scenario answers to it. */
function stepsFor(scenario: Scenario, prompt: string | undefined): readonly Step[] {
  if (prompt === undefined) return scenario.steps;
  const answer = scenario.answers.find(({ match }) => match === undefined || match.test(prompt));
  if (!answer) throw new UsageError(`The scenario has no answer to "${prompt}".`);
  return answer.steps;
}

async function createContext(options: CommandLine, scenario: Scenario): Promise<AgentContext> {
  const folder = path.resolve(options.folder);
  await mkdir(folder, { recursive: true });
  const output = processOutput();
  const modes = new TerminalModes(output);
  const pace = paceAt(options.speed);
  const seed = options.seed ?? scenario.seed;
  return {
    output,
    modes,
    pace,
    folder,
    statusLine: new StatusLine(output, modes),
    input: processInput(),
    random: new Random(seed),
    variables: new Map([['prompt', options.prompt ?? '']]),
    moments: momentAnnouncer(process.env.AH_IPC_SOCKET),
    transcript: await openTranscript(scenario.transcript, options, { folder, seed, pace }),
    process: processControl,
  };
}

/** Whoever ends the agent gets a usable terminal back; the agent then dies of the signal as it would have. */
function giveTerminalBackOnSignals(modes: TerminalModes): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      writeSync(process.stdout.fd, modes.undoSequence());
      void processControl.dieBySignal(signal);
    });
  }
}

function report(error: unknown): number {
  const isUsage = error instanceof UsageError || error instanceof ScenarioError;
  console.error(error instanceof ScenarioError ? error.message : `mockAgent: ${messageOf(error)}`);
  return isUsage ? EXIT_USAGE : EXIT_FAILED;
}

void main()
  .catch(report)
  .then((exitCode) => process.exit(exitCode));
