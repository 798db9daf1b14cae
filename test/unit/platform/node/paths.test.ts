import assert from 'node:assert/strict';
import { chmodSync, chownSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { socketPath } from '../../../../src/platform/node/paths.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { SOME_USER } from '../../../support/volumes/someUser.ts';

const LONG = `/${'x'.repeat(120)}`;

describe('the folder for sockets with long paths', () => {
  const place = useTemporaryFolder();
  let before: string | undefined;
  const usual = () => path.join(place.path, `ah-${process.getuid!()}`);
  const used = () => path.dirname(socketPath(LONG, 'host.sock'));

  beforeEach(() => {
    before = process.env['XDG_RUNTIME_DIR'];
    process.env['XDG_RUNTIME_DIR'] = place.path;
  });

  afterEach(() => {
    if (before === undefined) delete process.env['XDG_RUNTIME_DIR'];
    else process.env['XDG_RUNTIME_DIR'] = before;
  });

  it('has the name of its user, and only they can enter it', () => {
    assert.equal(used(), usual());
    assert.equal(lstatSync(usual()).mode & 0o777, 0o700);
  });

  for (const [what, occupy] of Object.entries({
    'is a file': () => writeFileSync(usual(), ''),
    'is a link': () => symlinkSync(place.path, usual()),
    'can be entered by others': () => {
      mkdirSync(usual());
      chmodSync(usual(), 0o755);
    },
    "is another user's": () => {
      mkdirSync(usual(), { mode: 0o700 });
      if (process.getuid!() === 0) chownSync(usual(), SOME_USER, SOME_USER);
      else chmodSync(usual(), 0o755); // Only root can give a folder away.
    },
  }))
    it(`has another name if this one ${what}`, () => {
      occupy();
      const folder = used();
      assert.notEqual(folder, usual());
      const { uid, mode } = lstatSync(folder);
      assert.deepEqual([uid, mode & 0o777], [process.getuid!(), 0o700]);
      assert.equal(used(), folder);
    });
});
