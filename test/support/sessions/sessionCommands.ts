import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { type AhSandbox, cliFile, collect } from '../ah.ts';

interface Place {
  readonly sandbox: AhSandbox;
  /** Snapshots of the session in which the commands run. */
  readonly files: SessionFiles;
  readonly cwd: string;
  /** The folder in which agents store their memory; required if a branch restores it. */
  readonly home?: string;
}

/** Runs `ah agent …` like a program of the session; `out` is its output if it succeeds. */
export function sessionCommands(place: () => Place) {
  const ah = (...args: string[]) => {
    const { sandbox, files, cwd, home } = place();
    const env = {
      ...sandbox.env,
      AH_SNAPSHOTS: '1',
      AH_SESSION_ID: files.session.meta.id,
      ...(home !== undefined && { HOME: home }),
    };
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], { env, cwd, stdio: 'pipe' });
    child.stdin.end();
    return collect(child);
  };
  const out = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await ah(...args);
    assert.equal(exitCode, 0, stderr);
    return stdout.toString();
  };
  return { ah, out };
}
