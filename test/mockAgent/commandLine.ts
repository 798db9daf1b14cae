import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/errors.ts';

export const usage = `Usage: mockAgent SCENARIO [options]

Plays a scenario (YAML or JSON) in this terminal as if it were a coding agent.

  --dir DIR               workspace folder; made if missing (default: the current one)
  --speed N               times as fast; 0 leaves out every pause (default: 1)
  --seed N                seed for everything random (default: the scenario's)
  --prompt TEXT           plays the scenario's answer to this instruction instead of its steps
  --transcript FILE       where to write the transcript
  --session-id ID         session id in the transcript
  --resume                continues the transcript instead of starting it anew
  --transcript-partial    writes each line of the transcript in two halves
  --transcript-truncate N cuts N bytes off the transcript's end when the agent ends`;

export interface CommandLine {
  readonly scenarioFile: string;
  readonly folder: string;
  readonly speed: number;
  readonly seed: number | undefined;
  readonly prompt: string | undefined;
  readonly transcript: string | undefined;
  readonly sessionId: string | undefined;
  readonly resume: boolean;
  readonly transcriptPartial: boolean;
  readonly transcriptTruncate: number | undefined;
}

/** The arguments are wrong; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * @param env contains the instruction of a branch, for programs that accept it in no other way
 * @returns 'help' when the user asks for help
 */
export function parseCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): CommandLine | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [scenarioFile, ...more] = positionals;
  if (scenarioFile === undefined) throw new UsageError('Which scenario? Give its file.');
  if (more.length > 0) throw new UsageError(`One scenario at a time; "${more[0]}" is too much.`);
  return {
    scenarioFile,
    folder: values.dir ?? '.',
    speed: numberOption('speed', values.speed) ?? 1,
    seed: numberOption('seed', values.seed),
    prompt: values.prompt ?? env['AH_BRANCH_MESSAGE'],
    transcript: values.transcript,
    sessionId: values['session-id'],
    resume: values.resume ?? false,
    transcriptPartial: values['transcript-partial'] ?? false,
    transcriptTruncate: numberOption('transcript-truncate', values['transcript-truncate']),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        dir: { type: 'string' },
        speed: { type: 'string' },
        seed: { type: 'string' },
        prompt: { type: 'string' },
        transcript: { type: 'string' },
        'session-id': { type: 'string' },
        resume: { type: 'boolean' },
        'transcript-partial': { type: 'boolean' },
        'transcript-truncate': { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

function numberOption(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0) {
    throw new UsageError(`--${name} must be a number of at least 0, not "${value}".`);
  }
  return number;
}
