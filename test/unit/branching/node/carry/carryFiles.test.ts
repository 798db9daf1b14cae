import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { carryFiles } from '../../../../../src/branching/node/carry/carryFiles.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const { signal } = new AbortController();

describe('carrying ignored files', () => {
  const folder = useTemporaryFolder();
  const places = () => ({ from: path.join(folder.path, 'from'), to: path.join(folder.path, 'to') });

  beforeEach(() => {
    const { from, to } = places();
    for (const each of [`${from}/node_modules/.bin`, to, `${folder.path}/outside`]) {
      mkdirSync(each, { recursive: true });
    }
    writeFileSync(`${from}/node_modules/tool.js`, 'x');
    symlinkSync('../tool.js', `${from}/node_modules/.bin/tool`);
  });

  it('copies links as links, and replaces no files', async () => {
    const { from, to } = places();
    writeFileSync(`${from}/.env`, 'theirs');
    writeFileSync(`${to}/.env`, 'ours');
    const paths = ['.env', 'gone', 'node_modules'];
    const seen: string[] = [];
    const onProgress = (name: string) => seen.push(name);
    const { carried } = await carryFiles({ from, to, paths, mode: 'copy', signal, onProgress });
    assert.deepEqual(carried, ['node_modules']);
    assert.equal(readlinkSync(`${to}/node_modules/.bin/tool`), '../tool.js');
    assert.equal(readFileSync(`${to}/.env`, 'utf8'), 'ours');
    assert.deepEqual(seen, [...paths, '']);
  });

  it('creates links in the mode `link`', async () => {
    const { from, to } = places();
    await carryFiles({ from, to, paths: ['node_modules'], mode: 'link', signal });
    assert.ok(lstatSync(`${to}/node_modules`).isDirectory(), 'a rule for folders hides it');
    assert.equal(readlinkSync(`${to}/node_modules/.bin`), `${from}/node_modules/.bin`);
  });

  it('never writes through a link out of the branch', async () => {
    const { from, to } = places();
    mkdirSync(`${from}/packages/a/dist`, { recursive: true });
    symlinkSync(`${folder.path}/outside`, `${to}/packages`);
    const paths = ['packages/a/dist'];
    const { carried } = await carryFiles({ from, to, paths, mode: 'copy', signal });
    assert.deepEqual(carried, []);
    assert.ok(!existsSync(`${folder.path}/outside/a`));
  });

  it('stops when it is cancelled', async () => {
    const stop = AbortSignal.abort();
    await assert.rejects(
      carryFiles({ ...places(), paths: ['node_modules'], mode: 'copy', signal: stop }),
    );
  });
});
