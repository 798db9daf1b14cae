import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import { NO_REPOSITORY } from '../make/separateRepository.ts';

/** Whether a copy of a workspace will be without its repository, as far as can be told before it is made. @returns sentences */
export async function detachedRepositoryWarning(workspace: string): Promise<string[]> {
  const said = await readFile(path.join(workspace, '.git'), 'utf8').catch(() => '');
  const target = /^gitdir: (.*)$/m.exec(said)?.[1];
  if (target === undefined || isWithin(workspace, path.resolve(workspace, target))) return [];
  return [NO_REPOSITORY];
}
