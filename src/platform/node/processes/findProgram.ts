import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../base/errors.ts';

/** The exit codes that shells use for these errors. */
export const EXIT_NOT_EXECUTABLE = 126;
export const EXIT_NOT_FOUND = 127;

/**
 * Returns the absolute path that a shell in `cwd` would run for `name`.
 * @throws UserError if there is none
 */
export function findProgram(name: string, env: NodeJS.ProcessEnv, cwd: string): string {
  const isPath = name.includes('/') || (process.platform === 'win32' && name.includes('\\'));
  const candidates = isPath
    ? [path.resolve(cwd, name)]
    : (env['PATH'] ?? '').split(path.delimiter).map((folder) => path.resolve(cwd, folder, name));
  const files = candidates.flatMap(withExtensions).filter((file) => isFile(file));
  const program = files.find(isExecutable);
  if (program) return program;
  if (files[0]) throw new UserError('not-executable', `${files[0]} is not executable.`);
  if (isPath && candidates[0] !== undefined && isFolder(candidates[0]))
    throw new UserError('not-executable', `${candidates[0]} is a folder.`);
  throw new UserError('not-found', `Can't find the command "${name}". Check its name and PATH.`);
}

function withExtensions(file: string): string[] {
  if (process.platform !== 'win32') return [file];
  const extensions = (process.env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';');
  return [file, ...extensions.map((extension) => file + extension)];
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // This user is not permitted to run the file.
    return false;
  }
}
