import assert from 'node:assert/strict';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { titledLink } from '../../../../src/extension/snapshots/titledLink.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the link to a snapshot that is a folder', () => {
  const place = useTemporaryFolder();

  function snapshot(name: string): string {
    const folder = path.join(place.path, 'volume', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'name.txt'), name);
    return folder;
  }

  it('is named after the moment, leads to the files, and belongs to the session', async () => {
    const session = path.join(place.path, 'session');
    const title = 'shop-api @ 08:00 · read-only';
    const link = await titledLink(session, 3n, { folder: snapshot('3a'), title });
    assert.equal(link, path.join(session, 'snapshot-folders', '3', title));
    assert.equal(readFileSync(path.join(link, 'name.txt'), 'utf8'), '3a');
    assert.equal(statSync(path.dirname(link)).mode & 0o777, 0o700);
  });

  it('leads to where the snapshot is now, and does not change the files', async () => {
    const session = path.join(place.path, 'session');
    const [before, after] = [snapshot('old'), snapshot('new')];
    const title = 'shop-api @ 08:00 · read-only';
    await titledLink(session, 3n, { folder: before, title });
    const link = await titledLink(session, 3n, { folder: after, title });
    assert.equal(readlinkSync(link), after);
    assert.deepEqual(readdirSync(before), ['name.txt'], 'only the link was replaced');
    // Snapshots of the same minute have the same title.
    const other = await titledLink(session, 4n, { folder: before, title });
    assert.deepEqual([readlinkSync(link), readlinkSync(other)], [after, before]);
  });
});
