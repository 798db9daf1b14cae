import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/oldHomes');

/** Packs a folder into the smallest archive. */
export function packFixture(name: string, folder: string): void {
  const args = ['-c', '--sparse', '--sort=name', '--owner=root:0', '--group=root:0'];
  const place = ['-C', path.dirname(folder), path.basename(folder)];
  const bytes = execFileSync('tar', [...args, ...place], { maxBuffer: 1 << 28 });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(fileOf(name), brotliCompressSync(bytes, { params }));
}

export function unpackFixture(name: string, into: string): void {
  const input = brotliDecompressSync(readFileSync(fileOf(name)));
  execFileSync('tar', ['-x', '--no-same-owner', '-C', into], { input });
}

function fileOf(name: string): string {
  return path.join(FIXTURES, `${name}.tar.br`);
}
