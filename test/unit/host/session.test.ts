import assert from 'node:assert/strict';
import { Session, type SessionParts } from '../../../src/host/session.ts';
import { deferred } from '../../support/deferred.ts';
import { settle } from '../../support/fakeClock.ts';

describe('pausing a session', () => {
  it('pauses snapshots at once, however long the agent’s hooks take', async () => {
    const steps: string[] = [];
    const caughtUp = deferred();
    const recorder = {
      isPaused: false,
      pause: () => steps.push('recorder'),
      onDidExit: () => {},
    };
    const session = new Session({
      context: { spec: { waitForClient: false }, hostLog: { write: () => {} } },
      meta: { id: 's' },
      recording: { writer: { onDidChangeTrouble: () => {}, flush: () => Promise.resolve() } },
      model: { onDidFail: () => {}, onReply: () => {} },
      recorder,
      snapshots: { pause: () => Promise.resolve(steps.push('snapshots')) },
      agent: { setCapture: () => caughtUp.promise.then(() => steps.push('agent')) },
      ipc: {},
    } as unknown as SessionParts);
    const paused = session.setPaused(true);
    await settle();
    assert.deepEqual(steps, ['recorder', 'snapshots']);
    caughtUp.resolve();
    await paused;
    assert.deepEqual(steps, ['recorder', 'snapshots', 'agent']);
  });
});
