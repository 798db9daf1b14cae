import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../../../src/platform/node/files/files.ts';
import type { Files } from '../../../../src/snapshots/common/ports.ts';
import { CloneClaims } from '../../../../src/snapshots/volume/cloneClaims.ts';
import { deferred } from '../../../support/deferred.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const TAKEN = { code: 'destination-exists', message: '/wanted exists already.' };

describe('who makes a clone in a place', () => {
  const folder = useTemporaryFolder();
  let dead: Set<string>;
  const place = () => path.join(folder.path, 'new', 'clones');
  const links = () => readdirSync(place());

  beforeEach(() => (dead = new Set()) && undefined);

  function claims(own: string, files: Files = nodeFiles): CloneClaims {
    const isAlive = (name: string) => Promise.resolve(!dead.has(name));
    return new CloneClaims({ files, processes: { own, isAlive } }, place());
  }

  /** Begins, and is killed before the end. */
  async function beginAndDie(own: string): Promise<void> {
    const begun = deferred();
    void claims(own).alone('/wanted', () => {
      begun.resolve();
      return deferred().promise;
    });
    await begun.promise;
    dead.add(own);
  }

  const make = (own: string, files?: Files) =>
    claims(own, files).alone('/wanted', () => Promise.resolve(own));

  /** All at once; who may make it does so until all have come. */
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
    await Promise.all(makers.map((own) => claims(own).alone('/wanted', work).catch(comes)));
    return made;
  }

  it('is one, until it has ended, also when that is a failure', async () => {
    const [begun, end] = [deferred(), deferred()];
    const first = claims('a').alone('/wanted', () => {
      begun.resolve();
      return end.promise.then(() => 'made');
    });
    await begun.promise;
    await assert.rejects(make('b'), TAKEN);
    await assert.rejects(make('a'), TAKEN);
    assert.equal(await claims('b').alone('/other', () => Promise.resolve('b')), 'b');
    end.resolve();
    assert.equal(await first, 'made');
    assert.deepEqual(links(), []);
    await assert.rejects(
      claims('a').alone('/wanted', () => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    assert.deepEqual(links(), []);
    assert.equal(await make('b'), 'b');
  });

  it('is one of all who come at the same time', async () => {
    assert.equal(await countOfMade(['a', 'b', 'c', 'd']), 1);
    assert.deepEqual(links(), []);
  });

  it('is succeeded by one when it was killed, however often', async () => {
    for (const own of ['a', 'b', 'c']) await beginAndDie(own);
    assert.deepEqual(
      links().map((name) => readlinkSync(path.join(place(), name))),
      ['a', 'b', 'c'],
    );
    assert.equal(await countOfMade(['d', 'e', 'f']), 1);
    assert.deepEqual(links(), []);
  });

  it('is not succeeded by one who looked before others came and went', async () => {
    await beginAndDie('a');
    const end = deferred();
    let other: Promise<string> | undefined;
    const slow: Files = {
      ...nodeFiles,
      async link(target, link) {
        assert.equal(await make('b'), 'b');
        other = claims('c').alone('/wanted', () => end.promise.then(() => 'made'));
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

  it('leaves nothing when it was killed and what it made is removed', async () => {
    await beginAndDie('a');
    await beginAndDie('b');
    await claims('c').tidy('/wanted');
    assert.deepEqual(links(), []);
  });
});
