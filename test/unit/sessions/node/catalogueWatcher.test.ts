import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CatalogueWatcher } from '../../../../src/sessions/node/catalogueWatcher.ts';
import { until } from '../../../support/ah.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('CatalogueWatcher', () => {
  const folder = useTemporaryFolder();
  let watcher: CatalogueWatcher;
  let changes: number;
  beforeEach(() => {
    changes = 0;
    watcher = new CatalogueWatcher(path.join(folder.path, 'catalogue'));
    watcher.onDidChange(() => changes++);
  });
  afterEach(() => watcher.dispose());

  const write = (file: string) => writeFileSync(path.join(folder.path, file), `${Math.random()}`);
  const changed = (count: number) => until(() => changes >= count, `change ${count}`);

  it('fires for new sessions, once for several at the same time', async () => {
    for (const id of ['a', 'b', 'c']) write(`catalogue/${id}.json`);
    await changed(1);
    assert.equal(changes, 1);
  });

  it('fires for changes of a session, but not for its recording', async () => {
    mkdirSync(path.join(folder.path, 'session'));
    watcher.watchSessions([path.join(folder.path, 'session')]);
    write('session/session.ahr');
    write('session/session.meta.json');
    await changed(1);
    write('session/session.ahr');
    write('catalogue/a.json'); // The only change that counts.
    await changed(2);
    assert.equal(changes, 2);
  });

  it('ignores a session that is no longer watched', async () => {
    mkdirSync(path.join(folder.path, 'session'));
    watcher.watchSessions([path.join(folder.path, 'session')]);
    watcher.watchSessions([]);
    write('session/session.meta.json');
    write('catalogue/a.json');
    await changed(1);
    assert.equal(changes, 1);
  });
});
