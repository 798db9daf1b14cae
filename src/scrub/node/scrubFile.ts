import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { JSON_FILES, withoutTextInJson } from './scrubbedJson.ts';
import { withoutText } from './textForms.ts';

/**
 * Removes a text from a file by replacing the file.
 * @returns whether the file had the text
 */
export async function scrubFile(file: string, forms: readonly Buffer[]): Promise<boolean> {
  const safe = scrubbed(file, await readFile(file), forms);
  if (!safe) return false;
  const { mode } = await stat(file);
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, safe, { flag: 'wx', flush: true, mode: 0o600 });
    await chmod(temporary, mode & 0o777);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  return true;
}

/**
 * Overwrites only the text's bytes, since an agent may append to the file.
 * @returns whether the file had the text
 */
export async function scrubInPlace(file: string, forms: readonly Buffer[]): Promise<boolean> {
  const before = await readFile(file);
  const safe = withoutText(before, forms);
  if (!safe) return false;
  const handle = await open(file, 'r+');
  try {
    for (let start = 0; start < safe.length; start++) {
      if (safe[start] === before[start]) continue;
      let end = start;
      while (end < safe.length && safe[end] !== before[end]) end++;
      await handle.write(safe, start, end - start, start);
      start = end;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return true;
}

/** Whether a scrub would still change the file. */
export async function isLeftIn(file: string, forms: readonly Buffer[]): Promise<boolean> {
  return scrubbed(file, await readFile(file), forms) !== undefined;
}

function scrubbed(file: string, bytes: Buffer, forms: readonly Buffer[]): Buffer | undefined {
  const name = path.basename(file);
  const members = JSON_FILES.find(([pattern]) => pattern.test(name))?.[1];
  return members ? withoutTextInJson(bytes, forms, members) : withoutText(bytes, forms);
}
