import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/agents/common/events/events.ts';
import { CaptureGaps } from '../../../../src/host/agent/captureGaps.ts';

const at = (second: number) => BigInt(second) * 1_000_000_000n;

/** A gap from second 10 to second 20, unless it stays open; the clocks differ by two seconds. */
function gapped({ isOpen = false, isSealed = true } = {}): CaptureGaps {
  let seconds: readonly [number, number] = [12, 10];
  const clock = { nowNs: () => at(seconds[0]) };
  const gaps = new CaptureGaps(clock, () => at(seconds[1]));
  gaps.begin();
  if (isSealed) gaps.seal();
  seconds = [20, 18];
  if (!isOpen) gaps.end();
  return gaps;
}

function event<K extends AgentEvent['kind']>(
  kind: K,
  second: number,
  fields: Omit<Extract<AgentEvent, { kind: K }>, 'kind' | 'id' | 'timeNs' | Common>,
): AgentEvent {
  const id = `${kind}/${second}`;
  const base = { id, source: 'transcript', confidence: 'high', agent: 'claudeCode' } as const;
  return { ...base, kind, timeNs: at(second), ...fields } as unknown as AgentEvent;
}
type Common = 'source' | 'confidence' | 'agent';

const prompt = (second: number) => event('user.prompt', second, { text: `at ${second}` });
const call = (second: number, callId = 'c') =>
  event('tool.call', second, { callId, tool: 'Bash', action: 'shell', input: null, title: 'make' });
const result = (second: number, callId = 'c') =>
  event('tool.result', second, {
    callId,
    tool: 'Bash',
    outcome: 'ok',
    summary: 'secret',
    exitCode: 0,
    files: ['secret.txt'],
  });
const completed = (second: number) =>
  event('turn.completed', second, { outcome: 'done', answer: 'secret' });
const message = (second: number) => event('assistant.message', second, { text: 'secret' });
const idsOf = (events: readonly AgentEvent[]) => events.map(({ id }) => id);

describe('gaps in the capture of an agent', () => {
  it('lose events by their own time, even if they arrive after the gap', () => {
    const stored = gapped().stored([prompt(9), prompt(10), prompt(15), prompt(20), prompt(21)]);
    assert.deepEqual(idsOf(stored), ['user.prompt/9', 'user.prompt/21']);
  });

  it('lose all events that arrive in the gap, except earlier ones at its start', () => {
    assert.deepEqual(gapped({ isOpen: true }).stored([prompt(9), prompt(15)]), []);
    const opening = gapped({ isOpen: true, isSealed: false });
    assert.deepEqual(idsOf(opening.stored([prompt(9), prompt(15)])), ['user.prompt/9']);
  });

  it('lose the later result of a call, and a later question about it', () => {
    const asked = event('approval.requested', 21, {
      callId: 'c',
      tool: 'Bash',
      input: { command: 'secret' },
      title: 'secret',
    });
    assert.deepEqual(gapped().stored([call(15), asked, result(22)]), []);
    const next = [call(23, 'd'), result(24, 'd')];
    assert.deepEqual(gapped().stored([call(15), result(22), ...next]), next);
  });

  it('empty the result of a call that ran during the gap, however it is dated', () => {
    for (const second of [9, 22]) {
      const [, stored] = gapped().stored([call(9), result(second)]);
      assert.ok(stored?.kind === 'tool.result');
      assert.deepEqual([stored.summary, stored.files, stored.exitCode], ['', [], 0]);
    }
  });

  it('stay lost when the next gap begins, although late records are read then', () => {
    let second = 10;
    const now = () => at(second);
    const gaps = new CaptureGaps({ nowNs: now }, now);
    gaps.begin();
    gaps.seal();
    second = 20;
    gaps.end();
    second = 30;
    gaps.begin();
    assert.deepEqual(gaps.stored([prompt(15), call(15), result(22)]), []);
    const [called, emptied] = gaps.stored([call(9, 'd'), result(22, 'd')]);
    assert.equal(called?.kind, 'tool.call');
    assert.ok(emptied?.kind === 'tool.result' && emptied.summary === '');
    const [cut] = gaps.stored([completed(23)]);
    assert.ok(cut?.kind === 'turn.completed' && cut.answer === undefined);
    const whole = [prompt(24), completed(25)];
    assert.deepEqual(gaps.stored(whole), whole, 'the turn between the gaps is kept');
  });

  it('tell once when the agent goes on with a turn, even by an event that is not stored', () => {
    const gaps = gapped();
    gaps.stored([message(15), prompt(9)]);
    assert.equal(gaps.takeResumedTurn(), undefined, 'nothing happened after the gap');
    assert.deepEqual(gaps.stored([message(22), call(23)]), [call(23)]);
    assert.equal(gaps.takeResumedTurn(), at(22));
    gaps.stored([result(24), completed(25)]);
    assert.equal(gaps.takeResumedTurn(), undefined);
  });

  it('tell nothing if a prompt begins the next turn', () => {
    const gaps = gapped();
    gaps.stored([prompt(21), call(22), message(23), completed(24)]);
    assert.equal(gaps.takeResumedTurn(), undefined);
  });

  it('drop the answer of a turn that began before or in the gap', () => {
    const gaps = gapped();
    const [cut] = gaps.stored([completed(21)]);
    assert.ok(cut?.kind === 'turn.completed' && cut.answer === undefined);
    assert.deepEqual(gaps.stored([completed(25)]), [completed(25)]);
    const next = [prompt(22), completed(23)];
    assert.deepEqual(gapped().stored(next), next);
  });

  it('lose what the agent says in such a turn, as it may have streamed in the gap', () => {
    const gaps = gapped();
    const ids = idsOf(gaps.stored([message(9), message(21), completed(22), message(21)]));
    assert.deepEqual(ids, ['turn.completed/22']);
    const next = [prompt(23), message(24), completed(25)];
    assert.deepEqual(gaps.stored(next), next);
    const [late] = gapped()
      .stored([prompt(23), completed(22)])
      .slice(1);
    assert.ok(late?.kind === 'turn.completed' && late.answer === undefined);
  });
});
