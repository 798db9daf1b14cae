import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const EXTENSION_HOST =
  'node_modules/code-server/lib/vscode/out/vs/workbench/api/node/extensionHostProcess.js';

/**
 * The server allows all proposed API, unlike the stable desktop version. This patches the function
 * that decides, found by the error function that follows it.
 */
const ALWAYS_ALLOWED =
  /function (\w+)\((\w+),(\w+)\)\{return!0\}(?=function \w+\(\2,\3\)\{if\(!\1\(\2,\3\)\)throw new Error\(`Extension '\$\{\2\.identifier)/;

/** Copies the server (by hard links) and patches the extension host to refuse proposed API. */
export function ensureStrictServer(serverFolder: string): string {
  const folder = `${serverFolder}-strict`;
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  if (spawnSync('cp', ['-al', serverFolder, unfinished], { stdio: 'inherit' }).status !== 0) {
    throw new Error(`${serverFolder} could not be copied.`);
  }
  const file = path.join(unfinished, EXTENSION_HOST);
  const code = readFileSync(file, 'utf8');
  if (!ALWAYS_ALLOWED.test(code))
    throw new Error(`${file} has no function that can be made strict.`);
  // The copy is a hard link, so writing to it would change the original: replace the file.
  rmSync(file);
  writeFileSync(
    file,
    code.replace(
      ALWAYS_ALLOWED,
      'function $1($2,$3){return!!$2.enabledApiProposals?.includes($3)}',
    ),
  );
  renameSync(unfinished, folder);
  return folder;
}
