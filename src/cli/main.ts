import { CommanderError } from 'commander';
import { messageOf, UserError } from '../base/errors.ts';
import { EXIT_NOT_EXECUTABLE, EXIT_NOT_FOUND } from '../platform/node/processes/findProgram.ts';
import { keepHeapSmall } from '../platform/node/processes/smallHeap.ts';
import { buildProgram } from './program.ts';
import { watchForBrokenPipe } from './terminal/brokenPipe.ts';

/** The version in package.json; esbuild.mjs fills it in. */
declare const AH_VERSION: string;

const EXIT_USAGE = 2;
const EXIT_BUG = 70;
const EXIT_CODES: Readonly<Record<string, number>> = {
  'bad-argument': EXIT_USAGE,
  'not-executable': EXIT_NOT_EXECUTABLE,
  'not-found': EXIT_NOT_FOUND,
};

async function main(): Promise<void> {
  try {
    await buildProgram({ version: AH_VERSION, distFolder: __dirname }).parseAsync(process.argv);
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  // Commander has already printed its message or the requested help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof UserError) {
    process.stderr.write(`ah: ${error.message}\n`);
    return EXIT_CODES[error.code] ?? 1;
  }
  process.stderr.write(`ah: Internal error: ${messageOf(error)}\n`);
  if (error instanceof Error && error.stack) process.stderr.write(`${error.stack}\n`);
  return EXIT_BUG;
}

keepHeapSmall();
watchForBrokenPipe();
void main();
