import assert from 'node:assert/strict';
import { UserError } from '../../../../src/base/errors.ts';
import type {
  Detection,
  ProviderName,
  SnapshotProvider,
} from '../../../../src/snapshots/common/provider.ts';
import {
  selectProvider,
  type ProviderDetectors,
} from '../../../../src/snapshots/common/selectProvider.ts';

describe('the choice between snapshot providers', () => {
  let tried: ProviderName[] = [];
  beforeEach(() => (tried = []) && undefined);

  const working = (name: ProviderName): Detection => ({ provider: { name } as SnapshotProvider });
  const refused = (refusal: string): Detection => ({ refusal });

  function detectors(answers: Record<ProviderName, Detection | Error>): ProviderDetectors {
    const detector = (name: ProviderName) => (): Promise<Detection> => {
      tried.push(name);
      const answer = answers[name];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    return { zfs: detector('zfs'), btrfs: detector('btrfs'), git: detector('git') };
  }

  it('takes the first that works, gives reasons for those before, and skips those after', async () => {
    const answers = { zfs: refused('No ZFS.'), btrfs: working('btrfs'), git: working('git') };
    const { provider, refusals } = await selectProvider(detectors(answers));
    assert.equal(provider?.name, 'btrfs');
    assert.deepEqual(refusals, [
      { name: 'zfs', reason: 'No ZFS.' },
      { name: 'git', reason: 'Not needed: btrfs works here and is preferred.' },
    ]);
    assert.deepEqual(tried, ['zfs', 'btrfs']);
  });

  it('continues if a detection fails', async () => {
    const answers = {
      zfs: new UserError('some-code', 'A sentence.'),
      btrfs: new Error('a bug'),
      git: working('git'),
    };
    const { provider, refusals } = await selectProvider(detectors(answers));
    assert.equal(provider?.name, 'git');
    assert.deepEqual(refusals, [
      { name: 'zfs', reason: 'A sentence.' },
      { name: 'btrfs', reason: 'Detection failed: a bug' },
    ]);
  });

  it('gives the reasons if none works', async () => {
    const answers = { zfs: refused('1'), btrfs: refused('2'), git: refused('3') };
    const { provider, refusals } = await selectProvider(detectors(answers));
    assert.equal(provider, undefined);
    assert.deepEqual(
      refusals.map(({ reason }) => reason),
      ['1', '2', '3'],
    );
  });

  it('follows a given order', async () => {
    const answers = { zfs: working('zfs'), btrfs: working('btrfs'), git: working('git') };
    const { provider } = await selectProvider(detectors(answers), ['git', 'zfs']);
    assert.equal(provider?.name, 'git');
    assert.deepEqual(tried, ['git']);
  });
});
