import assert from 'node:assert/strict';
import { summaryPrompt } from '../../../../../src/agents/common/turns/summaryPrompt.ts';
import { turnsOf } from '../../../../../src/agents/common/turns/turns.ts';
import { call, completed, message, prompt, result } from '../someEvents.ts';

describe('summaryPrompt', () => {
  it('has the last turns, redacted and shortened', () => {
    const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const events = Array.from({ length: 9 }, (_, turn) => [
      prompt(`Turn ${turn}: use ${key} ${'x'.repeat(5000)}`, { atMs: turn * 10 }),
      call(`c${turn}`, 'Bash', { command: `curl -u me:${key} PASSWORD=hunter2 own-secret-1` }),
      result(`c${turn}`, { outcome: 'failed' }),
      message('Done.', { atMs: turn * 10 + 1 }),
      completed({ atMs: turn * 10 + 2 }),
    ]).flat();
    const text = summaryPrompt(turnsOf(events), ['own-secret-1']);
    for (const secret of [key, 'hunter2', 'own-secret-1']) assert.ok(!text.includes(secret));
    assert.ok(!text.includes('Turn 3:') && text.includes('Turn 4:'));
    assert.ok(text.length < 10_000);
    assert.match(text, /curl .* \(failed\)/);
  });
});
