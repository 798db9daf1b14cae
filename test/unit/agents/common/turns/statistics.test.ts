import assert from 'node:assert/strict';
import { statisticsOf } from '../../../../../src/agents/common/turns/statistics.ts';
import { asked, call, completed, prompt, resolved, result, tokens } from '../someEvents.ts';

const test = { command: 'npm test -- parser' };
let nth = 0;
function ran(command: string, isFailed: boolean, atMs: number) {
  const id = `t${++nth}`;
  return [
    call(id, 'Bash', { command }, { atMs }),
    result(id, { outcome: isFailed ? 'failed' : 'ok' }, { atMs: atMs + 1 }),
  ];
}
const edit = (atMs: number) => [
  call(`e${++nth}`, 'Edit', { file_path: 'a.ts' }, { atMs }),
  result(`e${nth}`, { files: ['a.ts'] }, { atMs: atMs + 1 }),
];

describe('statistics of a session', () => {
  it('count turns, work, idle time, approvals, and test-and-fix loops', () => {
    const { turns, ...all } = statisticsOf([
      prompt('Fix it', { atMs: 1000 }),
      ...ran(test.command, true, 1100),
      ...edit(1200),
      ...ran(test.command, true, 1300),
      ...edit(1400),
      ...ran(test.command, false, 1500),
      ...edit(1600),
      ...ran(test.command, false, 1700),
      tokens(100, 20, { atMs: 1800 }),
      completed({ atMs: 3000 }),
      prompt('Ship it', { atMs: 13_000 }),
      call('c', 'Bash', { command: 'make release' }, { atMs: 13_100 }),
      asked('c', 'Bash', { command: 'make release' }, { atMs: 13_200 }),
      resolved('c', 'allowed', { atMs: 17_200 }),
      result('c', {}, { atMs: 18_000 }),
    ]);
    assert.deepEqual(
      turns.map((turn) => [turn.durationMs, turn.tools, turn.files, turn.testFixLoops]),
      [
        [2000, 7, 1, 2],
        [undefined, 1, 0, 0],
      ],
    );
    assert.deepEqual(turns[1]?.approvalMs, [4000]);
    assert.deepEqual(all, {
      workMs: 2000,
      approvalWaitMs: 4000,
      idleMs: 10_000,
      approvals: 1,
      medianApprovalMs: 4000,
      testFixLoops: 2,
      tokens: 120,
    });
  });

  it('tell waiting for approval from work', () => {
    const { turns, workMs, approvalWaitMs } = statisticsOf([
      prompt('Ship it', { atMs: 0 }),
      call('a', 'Bash', { command: 'make' }, { atMs: 1000 }),
      asked('a', 'Bash', { command: 'make' }, { atMs: 1000 }),
      call('b', 'Bash', { command: 'ls' }, { atMs: 2000 }),
      asked('b', 'Bash', { command: 'ls' }, { atMs: 2000 }),
      resolved('a', 'allowed', { atMs: 4000 }),
      resolved('b', 'allowed', { atMs: 5000 }),
      call('c', 'Bash', { command: 'rm' }, { atMs: 8000 }),
      asked('c', 'Bash', { command: 'rm' }, { atMs: 8000 }),
      completed({ atMs: 10_000 }),
    ]);
    assert.equal(turns[0]?.durationMs, 10_000);
    // Two approvals wait at once from 1 s to 5 s; a third one waits unanswered until the end.
    assert.deepEqual([turns[0].approvalWaitMs, turns[0].workMs], [6000, 4000]);
    assert.deepEqual([approvalWaitMs, workMs], [6000, 4000]);
  });

  it('are empty for a session without events', () => {
    const { turns, medianApprovalMs } = statisticsOf([]);
    assert.deepEqual([turns, medianApprovalMs], [[], undefined]);
  });
});
