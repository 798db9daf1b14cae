import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CarryPattern } from '../../../../../src/branching/common/carriedFiles.ts';
import { searchIgnoredFolders } from '../../../../../src/branching/node/carry/searchIgnoredFolders.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('the search in ignored folders', () => {
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

  it('finds files beside folders that are too large to search', () => {
    for (let each = 0; each < 600; each++) put(`cache/${each}/x`);
    for (let each = 0; each < 1500; each++) put(`blobs/${each}`);
    put('config/prod/.env', 'config/.env');
    const { matches, isCut } = found(['blobs', 'cache', 'config'], '.env*');
    assert.deepEqual(matches, ['config/.env', 'config/prod/.env']);
    assert.ok(isCut);
    assert.deepEqual(found(['cache'], 'cache/59*/x').matches.length, 11);
  });

  it('skips repositories, environments, links and unreadable folders', () => {
    put('a/other/.git', 'a/other/.env', 'a/venv/pyvenv.cfg', 'a/venv/.env', 'outside/.env');
    symlinkSync(path.join(place.path, 'outside'), path.join(place.path, 'a/way'));
    symlinkSync('loop', path.join(place.path, 'loop'));
    const { matches, isCut } = found(['a', 'loop', 'gone', 'a/way'], '.env*', 'a/way/*');
    assert.deepEqual(matches, []);
    assert.ok(!isCut);
    assert.deepEqual(found(['a'], 'a/other/.env').matches, ['a/other/.env'], 'unless it is named');
  });
});
