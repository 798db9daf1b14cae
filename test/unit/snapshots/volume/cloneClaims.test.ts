import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../../src/platform/node/files/files.ts';
import type { Files } from '../../../../src/snapshots/common/ports.ts';
import { CloneClaims } from '../../../../src/snapshots/volume/cloneClaims.ts';
import { deferred } from '../../../support/deferred.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const TAKEN = { code: 'destination-exists', message: '/wanted already exists.' };

describe('claims on clone destinations', () => {
  const folder = useTemporaryFolder();
  let dead: Set<string>;
  const place = () => path.join(folder.path, 'new', 'clones');
  const links = () => readdirSync(place());

  beforeEach(() => (dead = new Set()) && undefined);

  function claims(own: string, files: Files = nodeFiles): CloneClaims {
    const isAlive = (name: string) => Promise.resolve(!dead.has(name));
    return new CloneClaims({ files, processes: { own, isAlive } }, place());
  }

  /** Starts to make a clone, and is killed before the end. */
  async function beginAndDie(own: string): Promise<void> {
    const begun = deferred();
    void claims(own).exclusively('/wanted', () => {
      begun.resolve();
      return deferred().promise;
    });
    await begun.promise;
    dead.add(own);
  }

  const make = (own: string, files?: Files) =>
    claims(own, files).exclusively('/wanted', () => Promise.resolve(own));

  /** Claims at once; the holder waits until all others were refused. */
  async function countOfMade(makers: readonly string[]): Promise<number> {
    const end = deferred();
    let come = 0;
    let made = 0;
    const comes = () => void (++come === makers.length && end.resolve());
    const work = () => {
      made += 1;
      comes();
      return end.promise;
    };
    await Promise.all(makers.map((own) => claims(own).exclusively('/wanted', work).catch(comes)));
    return made;
  }

  it('allow one process at a time, until it has ended or failed', async () => {
    const [begun, end] = [deferred(), deferred()];
    const first = claims('a').exclusively('/wanted', () => {
      begun.resolve();
      return end.promise.then(() => 'made');
    });
    await begun.promise;
    await assert.rejects(make('b'), TAKEN);
    await assert.rejects(make('a'), TAKEN);
    assert.equal(await claims('b').exclusively('/other', () => Promise.resolve('b')), 'b');
    end.resolve();
    assert.equal(await first, 'made');
    assert.deepEqual(links(), []);
    await assert.rejects(
      claims('a').exclusively('/wanted', () => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.deepEqual(links(), []);
    assert.equal(await make('b'), 'b');
  });

  it('allow one of several processes that come at the same time', async () => {
    assert.equal(await countOfMade(['a', 'b', 'c', 'd']), 1);
    assert.deepEqual(links(), []);
  });

  it('of killed processes are taken over by one process, however often', async () => {
    for (const own of ['a', 'b', 'c']) await beginAndDie(own);
    assert.deepEqual(
      links().map((name) => readlinkSync(path.join(place(), name))),
      ['a', 'b', 'c'],
    );
    assert.equal(await countOfMade(['d', 'e', 'f']), 1);
    assert.deepEqual(links(), []);
  });

  it('are not taken over by a process whose check is outdated', async () => {
    await beginAndDie('a');
    const end = deferred();
    let other: Promise<string> | undefined;
    const slow: Files = {
      ...nodeFiles,
      async link(target, link) {
        assert.equal(await make('b'), 'b');
        other = claims('c').exclusively('/wanted', () => end.promise.then(() => 'made'));
        while (links().length === 0) await new Promise(setImmediate);
        await nodeFiles.link(target, link);
      },
    };
    await assert.rejects(make('d', slow), TAKEN);
    assert.deepEqual(
      links().map((name) => readlinkSync(path.join(place(), name))),
      ['c'],
    );
    end.resolve();
    assert.equal(await other, 'made');
    assert.deepEqual(links(), []);
  });

  it('of killed processes are removed with the clone', async () => {
    await beginAndDie('a');
    await beginAndDie('b');
    await claims('c').tidy('/wanted');
    assert.deepEqual(links(), []);
  });
});
