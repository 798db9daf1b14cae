import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import { UsageError } from './commandLine.ts';
import { parseScenario } from './scenario/parseScenario.ts';
import { ScenarioError, type Scenario } from './scenario/scenario.ts';
import type { Step } from './scenario/step.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

export async function readScenario(file: string): Promise<Scenario> {
  const source = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`The scenario cannot be read: ${messageOf(error)}.`);
  });
  return parseScenario(source, path.basename(file));
}

/** The scenario's answer to an instruction. */
export function answerTo(scenario: Scenario, prompt: string): readonly Step[] {
  const answer = scenario.answers.find(({ match }) => match === undefined || match.test(prompt));
  if (!answer) throw new UsageError(`The scenario has no answer to "${prompt}".`);
  return answer.steps;
}

/** Ends the process with what `main` returns, or with a sentence on standard error. */
export async function runMain(main: () => Promise<number>): Promise<never> {
  process.exit(await main().catch(report));
}

function report(error: unknown): number {
  const isUsage = error instanceof UsageError || error instanceof ScenarioError;
  console.error(error instanceof ScenarioError ? error.message : `mockAgent: ${messageOf(error)}`);
  return isUsage ? EXIT_USAGE : EXIT_FAILED;
}
