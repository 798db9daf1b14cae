import assert from 'node:assert/strict';
import { checkMessage } from '../../../../../src/branching/common/branchMessage.ts';
import { parseAction } from '../../../../../src/timeline/common/protocol/parseRequests.ts';
import { MOMENT_ACTIONS } from '../../../../../src/timeline/common/protocol/timelineProtocol.ts';

describe('an action of the page', () => {
  const action = { action: MOMENT_ACTIONS[0], momentId: null, timeMs: 0, byteOffset: 0 };

  it('may have a message that is too long, so that the user is told what to do', () => {
    const { message } = parseAction({ ...action, message: 'x'.repeat(100_000) });
    assert.throws(() => checkMessage(message ?? undefined), { code: 'message-too-long' });
  });

  it('is rejected if its message is too large, or not a text', () => {
    for (const message of ['x'.repeat(2_000_001), 7, undefined])
      assert.throws(() => parseAction({ ...action, message }), { code: 'bad-request' });
  });
});
