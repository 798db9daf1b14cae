import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../platform/node/files/atomicFile.ts';
import { draftOf } from './journal/scrubJournal.ts';
import { JSON_FILES, withoutTextInJson } from './scrubbedJson.ts';
import { withoutText } from './textForms.ts';

/**
 * Writes a file without the text as a draft beside the file.
 * @returns whether the file has the text, and thus a draft
 */
export async function draftWithoutText(file: string, forms: readonly Buffer[]): Promise<boolean> {
  const safe = scrubbed(file, await readFile(file), forms);
  if (!safe) return false;
  const { mode } = await stat(file);
  const draft = draftOf(file);
  await writeFile(draft, safe, { flush: true, mode: 0o600 });
  await chmod(draft, mode & 0o777);
  await syncFolder(path.dirname(file));
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
