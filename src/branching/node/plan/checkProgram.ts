import path from 'node:path';
import { messageOf, UserError } from '../../../base/errors.ts';
import { plainText } from '../../../base/plainText.ts';
import { movedWorkspace } from '../../../agents/node/continuation/movedWorkspace.ts';
import { findProgram } from '../../../platform/node/processes/findProgram.ts';
import type { SessionMeta } from '../../../sessions/node/sessionMeta.ts';

const MAX_NAME_LENGTH = 80;

interface ProgramRequest {
  readonly meta: SessionMeta;
  readonly workspace: { readonly from: string; readonly to: string };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the branch's workspace will contain this file. */
  readonly willHave: (relative: string) => Promise<boolean>;
}

/**
 * Checks that the program of a branch will exist: if it was in the workspace, it must be in the
 * branch too; otherwise it must be installed.
 * @returns warnings
 * @throws UserError when the program is not installed
 */
export async function checkProgram(request: ProgramRequest): Promise<string[]> {
  const { meta, workspace, env } = request;
  const [program = ''] = meta.cmd;
  const { to, moved } = await movedWorkspace(workspace);
  const inBranch = moved(program);
  if (inBranch !== program) {
    const relative = path.relative(to, inBranch);
    if (await request.willHave(relative)) return [];
    return [
      `The branch does not have its program ${plainText(relative, MAX_NAME_LENGTH)}. Create it before you start the branch.`,
    ];
  }
  try {
    findProgram(program, env, '/');
    return [];
  } catch (error) {
    throw new UserError(
      'agent-missing',
      `Can't branch: the program is no longer installed: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
