import path from 'node:path';
import { messageOf, UserError } from '../../../base/errors.ts';
import { plainText } from '../../../base/plainText.ts';
import { movedWorkspace } from '../../../agents/node/continuation/movedWorkspace.ts';
import { findProgram } from '../../../platform/node/processes/findProgram.ts';
import type { MemoryRequest } from '../memory/agentMemory.ts';

const MAX_NAME_LENGTH = 80;

/**
 * Whether the program that a branch starts will be there: one of the project's own has to come with the branch, any other has to
 * be installed.
 * @returns sentences
 * @throws UserError when it is gone
 */
export async function checkProgram(request: MemoryRequest): Promise<string[]> {
  const { meta, workspace, env } = request;
  const [program = ''] = meta.cmd;
  const { to, moved } = await movedWorkspace(workspace);
  const inBranch = moved(program);
  if (inBranch !== program) {
    const relative = path.relative(to, inBranch);
    if (await request.willHave(relative)) return [];
    return [
      `${plainText(relative, MAX_NAME_LENGTH)}, which it runs, is not in the branch: it starts when it is there again.`,
    ];
  }
  try {
    findProgram(program, env, '/');
    return [];
  } catch (error) {
    throw new UserError(
      'agent-missing',
      `The program is not installed any more: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
