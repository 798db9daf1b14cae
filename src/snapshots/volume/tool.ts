import { errorCode, messageOf, UserError } from '../../base/errors.ts';
import type { Exec, ExecOptions, ExecResult } from '../common/ports.ts';

/** Where Debian and others keep administrators' programs, which an ordinary user's PATH lacks. */
const EXTRA_FOLDERS = ['/usr/sbin', '/sbin', '/usr/local/sbin'];

/**
 * A failed system program, with its message. {@link explained} turns it into a {@link UserError}.
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

type AttemptOptions = Pick<ExecOptions, 'signal' | 'maxOutputBytes'>;

/** A system program. Its messages are in English so that they can be recognized. */
export class Tool {
  readonly #exec: Exec;
  readonly #program: string;

  private constructor(exec: Exec, program: string) {
    this.#exec = exec;
    this.#program = program;
  }

  /** Returns undefined if the program is not installed. @param probe arguments without effect */
  static async find(exec: Exec, name: string, probe: readonly string[]): Promise<Tool | undefined> {
    for (const program of [name, ...EXTRA_FOLDERS.map((folder) => `${folder}/${name}`)]) {
      try {
        await exec(program, probe, { cwd: '/' });
        return new Tool(exec, program);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'EACCES') throw error;
      }
    }
    return undefined;
  }

  /** Runs the program and returns any exit code. */
  attempt(args: readonly string[], options: AttemptOptions = {}): Promise<ExecResult> {
    return this.#exec(this.#program, args, { cwd: '/', env: { LC_ALL: 'C' }, ...options });
  }

  /** @throws ToolFailure with what the program said */
  async run(args: readonly string[], signal?: AbortSignal): Promise<Uint8Array> {
    const { exitCode, stdout, stderr } = await this.attempt(args, signal && { signal });
    if (exitCode !== 0) throw new ToolFailure(complaintOf(stderr) || `exit code ${exitCode}`);
    return stdout;
  }

  async text(args: readonly string[], signal?: AbortSignal): Promise<string> {
    return new TextDecoder().decode(await this.run(args, signal));
  }
}

/**
 * Turns a failed tool into a user error with an explanation; a full disk has its own explanation.
 * Returns other errors unchanged.
 */
export function explained(error: unknown, code: string, sentence: string): unknown {
  if (error instanceof UserError) return error;
  if (error instanceof ToolFailure || errorCode(error) !== undefined) {
    const message = messageOf(error);
    if (/No space left|out of space|ENOSPC|EDQUOT|quota exceeded/i.test(message)) {
      return new UserError('disk-full', `${sentence}: the disk is full.`, { cause: error });
    }
    return new UserError(code, `${sentence}: ${message}`, { cause: error });
  }
  return error;
}

/** Returns the first error line, without the program's prefix. */
function complaintOf(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const line = lines.find((text) => text.startsWith('ERROR:')) ?? lines.find((text) => text !== '');
  return (line ?? '').replace(/^ERROR: /, '');
}
