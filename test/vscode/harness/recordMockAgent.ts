import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { changeSessionNotes } from '../../../src/sessions/node/sessionNotes.ts';
import type { AhSandbox, LaunchedSession } from '../../support/ah.ts';

const mockAgent = path.resolve(import.meta.dirname, '../../mockAgent');

export interface MockAgentOptions {
  readonly speed?: number;
  /** The agent begins when this file is there. */
  readonly startFile?: string;
}

/**
 * Records the mock agent's demo in a folder before there is a window: the one that opens there takes it for a session that
 * it showed before, and shows it.
 */
export async function recordMockAgent(
  sandbox: AhSandbox,
  workspace: string,
  { speed = 1, startFile }: MockAgentOptions = {},
): Promise<LaunchedSession> {
  // By a name of its own: what is shown of a session should not be the paths of this clone.
  const program = path.join(sandbox.folder, 'mock-agent');
  const parts = [process.execPath, `${mockAgent}/main.ts`, `${mockAgent}/scenarios/demo.yaml`];
  mkdirSync(sandbox.folder, { recursive: true });
  const wait = startFile ? `until [ -e '${startFile}' ]; do sleep 0.1; done\n` : '';
  const script = `#!/bin/sh\n${wait}exec '${parts.join("' '")}' "$@"\n`;
  writeFileSync(program, script, { mode: 0o755 });
  const cmd = [program, '--dir', workspace, '--speed', `${speed}`];
  const session = await sandbox.launch(cmd, { cwd: workspace, cols: 100, rows: 24 });
  const notes = { name: 'Mock Agent', workspace, shownIn: [workspace], isInFront: true };
  await changeSessionNotes(session.folder, notes);
  return session;
}
