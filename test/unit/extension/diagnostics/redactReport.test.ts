import assert from 'node:assert/strict';
import { redactReport } from '../../../../src/extension/diagnostics/redactReport.ts';

const names = { home: '/home/ada', user: 'ada' };

describe('redactReport', () => {
  it('removes names, addresses and possible keys', () => {
    const text = [
      'open /home/ada/project of ada@example.org',
      'ANTHROPIC_API_KEY=sk-ant-1',
      'authorization: Bearer abc-planted',
      'key sk-proj-0123456789abcdefABCDEF0123',
    ].join('\n');
    const clean = redactReport(text, names);
    for (const secret of ['ada', 'example.org', 'sk-ant-1', 'abc-planted', 'sk-proj']) {
      assert.ok(!clean.includes(secret), `${secret} in ${clean}`);
    }
    assert.ok(clean.includes('~/project'));
  });

  it('keeps useful facts', () => {
    const text = 'session 20261116-020911-a1b2c3: recorder-failed at recordedTerminal.ts:12';
    assert.equal(redactReport(text, names), text);
  });
});
