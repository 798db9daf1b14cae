import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  changeSessionNotes,
  readSessionNotes,
} from '../../../../src/sessions/node/sessionNotes.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('session notes', () => {
  const folder = useTemporaryFolder();

  it('change one by one', async () => {
    assert.deepEqual(await readSessionNotes(folder.path), {});
    await changeSessionNotes(folder.path, { name: 'First', isInFront: true });
    await changeSessionNotes(folder.path, { isInFront: false });
    assert.deepEqual(await readSessionNotes(folder.path), { name: 'First', isInFront: false });
  });

  it('keep all of several changes at the same time', async () => {
    const add = (key: string) =>
      changeSessionNotes(folder.path, ({ shownIn = [] }) => ({ shownIn: [...shownIn, key] }));
    await Promise.all([
      changeSessionNotes(folder.path, { name: 'First' }),
      add('/one'),
      changeSessionNotes(folder.path, { isInFront: true }),
      add('/two'),
    ]);
    assert.deepEqual(await readSessionNotes(folder.path), {
      name: 'First',
      isInFront: true,
      shownIn: ['/one', '/two'],
    });
  });

  it('count as not set when damaged', async () => {
    const file = path.join(folder.path, 'session.notes.json');
    writeFileSync(file, '{"name": ');
    assert.deepEqual(await readSessionNotes(folder.path), {});
    writeFileSync(file, '{"name": 7, "agent": "codex"}');
    assert.deepEqual(await readSessionNotes(folder.path), { agent: 'codex' });
  });
});
