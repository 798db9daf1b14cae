import path from 'node:path';
import { agentCommand } from '../../agents/common/agentCommand.ts';
import type { LaunchAdditions } from '../../agents/common/adapter.ts';
import type { TerminalSize } from '../../base/terminalSize.ts';
import type { LaunchSpec } from '../../sessions/node/launchSpec.ts';
import { integrateShell } from '../shell/integrateShell.ts';
import type { SessionContext } from '../sessionContext.ts';
import { PtyProcess } from './ptyProcess.ts';

/**
 * Starts the program on a pseudoterminal.
 * @param additions arguments and variables for an agent whose events are recorded
 */
export function startProgram(
  { spec, workerFolder }: SessionContext,
  size: TerminalSize,
  ipcSocket: string,
  additions: LaunchAdditions | undefined,
): PtyProcess {
  const launch = spec.integratesShell
    ? integrateShell(spec, path.join(workerFolder, 'shell'))
    : spec;
  const [file, ...args] = withAdditions(launch, additions?.args ?? []);
  if (file === undefined) throw new Error('The launch specification names no program.');
  return new PtyProcess({
    file,
    args,
    cwd: spec.cwd,
    env: {
      ...launch.env,
      ...additions?.env,
      PWD: spec.cwd,
      AH_SESSION_ID: spec.id,
      AH_SESSION_DIR: spec.folder,
      AH_IPC_SOCKET: ipcSocket,
    },
    ...size,
    readerFile: path.join(workerFolder, 'ptyReaderWorker.cjs'),
  });
}

/**
 * Adds arguments after the agent's name. A custom agent program may have an unknown name; it is
 * then the first word.
 */
function withAdditions(
  { cmd }: Pick<LaunchSpec, 'cmd'>,
  args: readonly string[],
): readonly string[] {
  if (args.length === 0) return cmd;
  const [program, ...own] = cmd;
  return agentCommand(cmd)?.addArguments(args) ?? [program ?? '', ...args, ...own];
}
