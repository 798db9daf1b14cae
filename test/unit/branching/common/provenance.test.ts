import assert from 'node:assert/strict';
import { decodeProvenance } from '../../../../src/branching/common/provenance.ts';

describe('provenance', () => {
  it('is decoded from valid values only', () => {
    const said = {
      fromSessionId: 's1',
      fromTs: 17,
      fromByte: 3,
      fsSnapshotId: 2,
      method: 'resume',
    };
    assert.deepEqual(decodeProvenance(said), {
      fromSessionId: 's1',
      fromTs: 17n,
      fromByte: 3,
      fsSnapshotId: 2n,
      method: 'resume',
      agentDetails: {},
      name: '',
    });
    for (const wrong of [
      undefined,
      null,
      [],
      'x',
      { ...said, method: 'magic' },
      { ...said, fromTs: 1.5 },
    ]) {
      assert.equal(decodeProvenance(wrong), undefined);
    }
  });
});
