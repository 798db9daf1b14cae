import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { RecordingReader } from '../../recording/read/reader.ts';
import { planScrub } from '../common/scrubPlan.ts';
import { FileSource } from '../../platform/node/files/fileSource.ts';
import { brotliDecompressor } from '../../platform/node/files/brotli.ts';
import type { ScrubText } from './textForms.ts';

/** The path of a git object outside of packs. */
const LOOSE_OBJECT = /\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}(?:[0-9a-f]{24})?$/;
const PACK = /^(.*)\/objects\/pack\/pack-[0-9a-f]+\.pack$/s;
const RECORDING = /\.ahr$|\.ahr\.(?:[0-9a-f]{8}\.)?(?:repack|scrub)$/;

/** Whether a git object, pack or recording has the text in compressed form. */
export async function hasTextIn(file: string, scrubText: ScrubText): Promise<boolean> {
  if (LOOSE_OBJECT.test(file)) return isIn(inflated(await readFile(file)), scrubText.forms);
  const repository = PACK.exec(file)?.[1];
  if (repository !== undefined) return isInPack(repository, path.basename(file), scrubText);
  return RECORDING.test(file) && isInRecording(file, scrubText.text);
}

export async function isInRecording(file: string, text: string): Promise<boolean> {
  const source = await FileSource.open(file);
  try {
    const reader = await RecordingReader.open(source, brotliDecompressor);
    const labels: string[] = [];
    const records = async function* () {
      for await (const record of reader.records()) {
        if (record.kind === 'snapshot') labels.push(record.label);
        yield record;
      }
    };
    const { matches } = await planScrub(records(), text);
    return matches > 0 || labels.some((label) => label.includes(text));
  } finally {
    await source.close();
  }
}

/** Finds a text in a stream, also across chunks. */
export async function streamHasText(
  chunks: AsyncIterable<Buffer>,
  forms: readonly Buffer[],
  signal: AbortSignal,
): Promise<boolean> {
  const overlap = Math.max(...forms.map((form) => form.length)) - 1;
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    const bytes = Buffer.concat([tail, chunk]);
    if (isIn(bytes, forms)) return true;
    tail = bytes.subarray(Math.max(0, bytes.length - overlap));
  }
  return false;
}

/** Reads all objects of a pack through git. */
async function isInPack(repository: string, pack: string, scrubText: ScrubText): Promise<boolean> {
  const index = path.join(repository, 'objects/pack', pack.replace(/pack$/, 'idx'));
  const listed: Buffer[] = [];
  for await (const chunk of git(['show-index'], await readFile(index))) listed.push(chunk);
  const lines = Buffer.concat(listed).toString('latin1').split('\n').filter(Boolean);
  const names = lines.map((line) => `${line.split(' ')[1]}\n`).join('');
  const args = ['--git-dir', repository, 'cat-file', '--batch', '--buffer'];
  return streamHasText(git(args, Buffer.from(names)), scrubText.forms, scrubText.signal);
}

/**
 * Runs git without `nodeExec`, because a pack's objects may be larger than memory.
 * @throws an error with the code EIO, as for an unreadable file, when git fails
 */
async function* git(args: readonly string[], input: Buffer): AsyncGenerator<Buffer, void, void> {
  const program = spawn('git', args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<boolean>((resolve) => {
    program.on('error', () => resolve(false));
    program.on('close', (code) => resolve(code === 0));
  });
  // Errors mean that git exited early, which its exit code shows.
  program.stdin.on('error', () => {});
  program.stdin.end(input);
  try {
    yield* program.stdout as AsyncIterable<Buffer>;
    if (!(await ended)) throw Object.assign(new Error('git failed.'), { code: 'EIO' });
  } finally {
    program.kill();
  }
}

function isIn(bytes: Buffer, forms: readonly Buffer[]): boolean {
  return forms.some((form) => bytes.includes(form));
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes);
  } catch {
    return bytes; // Not a git object, despite its name.
  }
}
