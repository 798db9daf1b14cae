import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brokenLinks } from '../../../../scripts/package/brokenLinks.mjs';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the links of a package', () => {
  const folder = useTemporaryFolder();

  it('are broken if their target is not in it', () => {
    mkdirSync(path.join(folder.path, 'docs'));
    const put = (file: string, text: string) => writeFileSync(path.join(folder.path, file), text);
    put('README.md', '[a](docs/guide.md#part) [b](docs/none.md) [c]\n\n[c]: src/none.ts\n');
    put(
      'docs/guide.md',
      '![d](none.png) [e](../README.md) [f](#part) [g](https://host/x)\n`[h](none)`\n',
    );
    assert.deepEqual(brokenLinks(folder.path), [
      'README.md: the target of docs/none.md is missing',
      'README.md: the target of src/none.ts is missing',
      'docs/guide.md: the target of none.png is missing',
    ]);
  });
});
