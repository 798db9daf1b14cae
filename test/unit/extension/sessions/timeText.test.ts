import assert from 'node:assert/strict';
import { startText } from '../../../../src/extension/sessions/timeText.ts';

describe('the start of a session in a list', () => {
  it('names the day unless it is today', () => {
    const now = new Date(2026, 10, 16, 12, 0);
    const text = (date: Date) => startText(date, now, 'en-GB');
    assert.equal(text(new Date(2026, 10, 16, 0, 5)), '00:05');
    assert.equal(text(new Date(2026, 10, 15, 23, 59)), '15 Nov, 23:59');
    assert.equal(text(new Date(2025, 10, 16, 12, 0)), '16 Nov 2025, 12:00');
  });
});
