import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import {
  formatPack,
  type PackedObject,
} from '../../../../../src/snapshots/git/objects/packFile.ts';
import { nodeObjectCoding } from '../../../../../src/snapshots/node/open/objectCoding.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

/** Around each size at which the header of an entry becomes longer. */
const SIZES = [0, 1, 15, 16, 17, 2047, 2048, 2049, 262_143, 262_144, 3_000_000];

describe('packs', () => {
  const folder = useTemporaryFolder();

  for (const algorithm of ['sha1', 'sha256'] as const)
    it(`can be verified and read by git, with ${algorithm}`, () => {
      const store = path.join(folder.path, algorithm);
      const git = (args: string[], input = '') =>
        execFileSync('git', ['--git-dir', store, ...args], { input, maxBuffer: 1 << 28 });
      execFileSync('git', ['init', '-q', '--bare', `--object-format=${algorithm}`, store]);
      const contents = SIZES.map((size) => Buffer.from('abc'.repeat(size).slice(0, size)));
      const objects = contents.map((bytes): PackedObject => {
        const head = Buffer.from(`blob ${bytes.length}\0`);
        const oid = nodeObjectCoding.hash(algorithm, [head, bytes]);
        return { oid, type: 'blob', size: bytes.length, deflated: deflateSync(bytes) };
      });
      const { name, pack, index } = formatPack(nodeObjectCoding, algorithm, objects);
      mkdirSync(path.join(store, 'objects/pack'), { recursive: true });
      const file = path.join(store, 'objects/pack', name);
      writeFileSync(`${file}.pack`, pack);
      writeFileSync(`${file}.idx`, index);
      git(['verify-pack', `${file}.idx`]);
      for (const [at, { oid }] of objects.entries())
        assert.deepEqual(git(['cat-file', 'blob', oid]), contents[at]);
      const ids = objects.map(({ oid }) => `${oid}\n`).join('');
      assert.ok(!git(['cat-file', '--batch-check'], ids).toString().includes('missing'));
    });
});
