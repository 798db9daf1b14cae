import assert from 'node:assert/strict';
import { allOmissions } from '../../../../src/snapshots/common/allOmissions.ts';
import type { Omission } from '../../../../src/snapshots/common/provider.ts';
import { rarestFirst } from '../../../../src/snapshots/common/rarestFirst.ts';

const { signal } = new AbortController();
const named: Omission[] = [
  { path: 'config', reason: 'ignored' },
  { path: 'huge', reason: 'too-large' },
];
const counted: Omission = { path: '', reason: 'ignored', detail: 'and 2 more that are ignored' };

describe('all that a snapshot left out', () => {
  it('is what it names, where it names all', async () => {
    const ignored = () => assert.fail('nobody is asked');
    assert.deepEqual(await allOmissions(named, { ignored }, signal), named);
  });

  it('is asked for where the snapshot counted the rest', async () => {
    const ignored = () => Promise.resolve(['config', 'config/.env', 'web/.env']);
    assert.deepEqual(await allOmissions([...named, counted], { ignored }, signal), [
      ...named,
      { path: 'web/.env', reason: 'ignored' },
    ]);
  });

  it('has what is said of the snapshot as a whole', async () => {
    const whole: Omission = { path: '', reason: 'unstable', detail: 'Nobody compared it.' };
    const ignored = () => Promise.resolve(['web/.env']);
    assert.deepEqual(await allOmissions([...named, whole], { ignored }, signal), [...named, whole]);
    assert.deepEqual(await allOmissions([whole, counted], { ignored }, signal), [
      whole,
      { path: 'web/.env', reason: 'ignored' },
    ]);
  });

  it('stays counted where nobody can say it', async () => {
    assert.deepEqual(await allOmissions([...named, counted], {}, signal), [...named, counted]);
  });
});

describe('a list that will be cut', () => {
  it('begins with what there is least of', () => {
    const objects = ['a/1.o', 'a/2.o', 'b/3.o', 'b/4.o'];
    const programs = ['bin/a', 'bin/b', 'bin/c'];
    const packages = ['node_modules', 'web/node_modules'];
    const paths = [...objects, ...programs, ...packages, 'web/.env.local', '.env'];
    assert.deepEqual(rarestFirst(paths), [
      ...['.env', 'web/.env.local'],
      ...packages,
      ...programs,
      ...objects,
    ]);
  });
});
