import { parseArgs } from 'node:util';
import { messageOf } from '../../../src/base/errors.ts';
import { UsageError } from '../commandLine.ts';

export interface ClaudeArguments {
  readonly isVersionAsked: boolean;
  /** Settings file that names the hooks. */
  readonly settings: string | undefined;
  /** ID of the conversation to continue. */
  readonly resume: string | undefined;
  readonly message: string | undefined;
}

/** The options of Claude Code that the recorder and its branches pass. @throws UsageError */
export function parseClaudeArguments(args: readonly string[]): ClaudeArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        version: { type: 'boolean' },
        settings: { type: 'string' },
        resume: { type: 'string' },
        model: { type: 'string' },
        'permission-mode': { type: 'string' },
      },
    });
    const { version = false, settings, resume } = values;
    return { isVersionAsked: version, settings, resume, message: positionals[0] };
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
