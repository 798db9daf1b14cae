import assert from 'node:assert/strict';
import { allOmissions } from '../../../../src/snapshots/common/allOmissions.ts';
import type { Omission } from '../../../../src/snapshots/common/provider.ts';
import { rarestFirst } from '../../../../src/snapshots/common/rarestFirst.ts';

const { signal } = new AbortController();
const named: Omission[] = [
  { path: 'config', reason: 'ignored' },
  { path: 'huge', reason: 'too-large' },
];
const counted: Omission = { path: '', reason: 'ignored', detail: 'and 2 more ignored paths' };

describe('all omissions of a snapshot', () => {
  it('are the listed ones, if the list is complete', async () => {
    const ignored = () => assert.fail('the provider must not be asked');
    assert.deepEqual(await allOmissions(named, { ignored }, signal), named);
  });

  it('include what is ignored now, if the snapshot counted the rest', async () => {
    const ignored = () => Promise.resolve(['config', 'config/.env', 'web/.env']);
    assert.deepEqual(await allOmissions([...named, counted], { ignored }, signal), [
      ...named,
      { path: 'web/.env', reason: 'ignored' },
    ]);
  });

  it('include what applies to the snapshot as a whole', async () => {
    const whole: Omission = { path: '', reason: 'unstable', detail: 'Nobody compared it.' };
    const ignored = () => Promise.resolve(['web/.env']);
    assert.deepEqual(await allOmissions([...named, whole], { ignored }, signal), [...named, whole]);
    assert.deepEqual(await allOmissions([whole, counted], { ignored }, signal), [
      whole,
      { path: 'web/.env', reason: 'ignored' },
    ]);
  });

  it("stay counted if the provider can't list ignored paths", async () => {
    assert.deepEqual(await allOmissions([...named, counted], {}, signal), [...named, counted]);
  });
});

describe('a list that will be cut', () => {
  it('begins with the rarest kinds', () => {
    const objects = ['a/1.o', 'a/2.o', 'b/3.o', 'b/4.o'];
    const programs = ['bin/a', 'bin/b', 'bin/c'];
    const packages = ['node_modules', 'web/node_modules'];
    const paths = [...objects, ...programs, ...packages, 'web/.env.local', '.env'];
    assert.deepEqual(rarestFirst(paths), [
      '.env',
      'web/.env.local',
      ...packages,
      ...programs,
      ...objects,
    ]);
  });
});
