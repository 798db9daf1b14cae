import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CarryPattern } from '../../../../../src/branching/common/carriedFiles.ts';
import { searchIgnoredFolders } from '../../../../../src/branching/node/carry/searchIgnoredFolders.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('what is looked for in ignored folders', () => {
  const place = useTemporaryFolder();
  const put = (...names: string[]) => {
    for (const name of names) {
      mkdirSync(path.dirname(path.join(place.path, name)), { recursive: true });
      writeFileSync(path.join(place.path, name), '');
    }
  };
  const found = (ignored: readonly string[], ...patterns: string[]) =>
    searchIgnoredFolders(
      place.path,
      ignored,
      patterns.map((pattern) => new CarryPattern(pattern)),
    );

  it('is found beside folders with more than can be looked at', () => {
    for (let each = 0; each < 600; each++) put(`cache/${each}/x`);
    for (let each = 0; each < 1500; each++) put(`blobs/${each}`);
    put('config/prod/.env', 'config/.env');
    const { meant, isCut } = found(['blobs', 'cache', 'config'], '.env*');
    assert.deepEqual(meant, ['config/.env', 'config/prod/.env']);
    assert.ok(isCut);
    assert.deepEqual(found(['cache'], 'cache/59*/x').meant.length, 11);
  });

  it('is in no repository or environment, behind no link, and in what can be listed', () => {
    put('a/other/.git', 'a/other/.env', 'a/venv/pyvenv.cfg', 'a/venv/.env', 'outside/.env');
    symlinkSync(path.join(place.path, 'outside'), path.join(place.path, 'a/way'));
    symlinkSync('loop', path.join(place.path, 'loop'));
    const { meant, isCut } = found(['a', 'loop', 'gone', 'a/way'], '.env*', 'a/way/*');
    assert.deepEqual(meant, []);
    assert.ok(!isCut);
    assert.deepEqual(found(['a'], 'a/other/.env').meant, ['a/other/.env'], 'unless it is named');
  });
});
