import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import { NO_REPOSITORY } from '../make/separateRepository.ts';

/** Warns when a copy of the workspace would lack its repository. @returns warnings, as sentences */
export async function detachedRepositoryWarning(workspace: string): Promise<string[]> {
  const text = await readFile(path.join(workspace, '.git'), 'utf8').catch(() => '');
  const target = /^gitdir: (.*)$/m.exec(text)?.[1];
  if (target === undefined || isWithin(workspace, path.resolve(workspace, target))) return [];
  return [NO_REPOSITORY];
}
