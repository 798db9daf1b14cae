import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { VisibleBytes } from '../../../src/scrub/common/byteMatcher.ts';
import { outputOf, readRecording } from '../ah.ts';

/**
 * Finds files that contain a text, also in their path, in JSON, in compressed git objects, and in the
 * blocks of a recording, with and without escape sequences between its letters.
 */
export async function placesOf(roots: readonly string[], secret: string): Promise<string[]> {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const forms = [secret, inJson, JSON.stringify(inJson).slice(1, -1)].map((form) =>
    Buffer.from(form),
  );
  const has = (bytes: Buffer) => forms.some((form) => bytes.includes(form));
  const places = roots.flatMap((root) => repositoriesWith(root, has));
  for (const file of roots.flatMap(filesIn)) {
    const bytes = readFileSync(file);
    if (has(bytes) || has(inflated(bytes)) || has(Buffer.from(file))) places.push(file);
    if (file.endsWith('.ahr') && (await streamsIn(file)).some(has)) places.push(file);
  }
  return places;
}

/** A file, or all files below a folder, without sockets. */
export function filesIn(root: string): string[] {
  const stat = statSync(root, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.isFile() ? [root] : [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(root, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** All texts of a recording: output, output as lines, input, and labels. */
async function streamsIn(file: string): Promise<Buffer[]> {
  const { records } = await readRecording(file);
  const output = outputOf(records);
  const visible = new VisibleBytes();
  const typed = records.flatMap((record) => (record.kind === 'input' ? [record.bytes] : []));
  const labels = records.flatMap((record) => (record.kind === 'snapshot' ? [record.label] : []));
  return [
    output,
    output.filter((byte) => visible.isText(byte)) as Buffer,
    Buffer.concat(typed),
    Buffer.from(labels.join('\n')),
  ].map((bytes) => Buffer.from(bytes));
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Repositories with the text in an object, including packed and unreferenced objects. */
function repositoriesWith(root: string, has: (bytes: Buffer) => boolean): string[] {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('store.git'))
    .filter((name) => {
      const where = ['--git-dir', path.join(root, name)];
      const args = [...where, 'cat-file', '--batch-all-objects', '--batch'];
      return has(execFileSync('git', args, { maxBuffer: 1 << 28 }));
    });
}
