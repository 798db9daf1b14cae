import assert from 'node:assert/strict';
import { branchLaunchSpec } from '../../../../../src/branching/node/make/launchBranch.ts';
import { branchRecord } from '../../../../support/branching/branchRecord.ts';

describe('the launch of a branch', () => {
  const place = {
    sessionsFolder: '/s',
    env: { PATH: '/bin', AH_BRANCH_MESSAGE: 'of another' },
    brotliQ: 4,
    keepsFiles: true,
    waitForClient: false,
  };

  it('has its own command and environment, without variables of another branch', () => {
    const { launch } = branchRecord();
    const env = { AH_BRANCH_ID: 'b1', KEY: 'v' };
    const spec = branchLaunchSpec(
      branchRecord({ launch: { ...launch!, cmd: ['/bin/sh', '-x'], env } }),
      place,
    );
    assert.deepEqual(spec.cmd, ['/bin/sh', '-x']);
    assert.deepEqual(spec.env, { PATH: '/bin', AH_BRANCH_ID: 'b1', KEY: 'v' });
    assert.deepEqual([spec.id, spec.folder, spec.workspace], ['b1', '/s/b1', '/d']);
    assert.equal(spec.branchOf?.fromSessionId, 's');
  });

  it('is refused if the branch is incomplete', () => {
    assert.throws(() => branchLaunchSpec(branchRecord({ state: 'making' }), place), {
      code: 'not-ready',
    });
  });
});
