import assert from 'node:assert/strict';
import { QueryArbiter } from '../../../../src/host/clients/queryArbiter.ts';
import { SkippedRecords } from '../../../../src/host/clients/skippedRecords.ts';

describe('the answer to a query comes from', () => {
  const setUp = () => {
    const sent: string[] = [];
    const answering = new QueryArbiter((bytes) => sent.push(Buffer.from(bytes).toString()));
    const model = (index: number) => answering.modelAnswered(index, Buffer.from(`model ${index}`));
    return { sent, answering, model };
  };

  it('the model, without a terminal', () => {
    const { sent, model } = setUp();
    model(1);
    assert.deepEqual(sent, ['model 1']);
  });

  it('the terminal for queries that it receives, and the model for earlier ones', () => {
    const { sent, answering, model } = setUp();
    const terminal = terminalAt(5, 7);
    answering.add(terminal);
    model(4);
    model(6);
    model(8);
    terminal.cursor = 9;
    answering.shown(terminal);
    answering.skipped(terminal);
    assert.deepEqual(sent, ['model 4']);
  });

  it('the model, if the terminal does not receive the query', () => {
    const { sent, answering, model } = setUp();
    const terminal = terminalAt(0, 3);
    answering.add(terminal);
    for (const index of [2, 5, 9]) model(index);
    terminal.cursor = 8;
    answering.skipped(terminal);
    assert.deepEqual(sent, ['model 5']);
  });

  it('the model, if the terminal skips the query before the model processes it', () => {
    const { sent, answering, model } = setUp();
    const terminal = terminalAt(0, 3);
    answering.add(terminal);
    terminal.skipped.add(3, 8, 0);
    terminal.cursor = 8;
    answering.skipped(terminal);
    for (const index of [2, 3, 7, 8]) model(index);
    terminal.cursor = 9;
    answering.shown(terminal);
    assert.deepEqual(sent, ['model 3', 'model 7'], 'the others the terminal answers');
    terminal.skipped.add(9, 12, 9);
    assert.ok(!terminal.hasSkipped(3), 'which the model is past');
    assert.ok(terminal.hasSkipped(11));
  });

  it('one terminal at a time, and the next when it leaves', () => {
    const { sent, answering, model } = setUp();
    const [first, second] = [terminalAt(0, 1), terminalAt(0, 9)];
    const leave = answering.add(first);
    answering.add(second);
    assert.deepEqual([answering.isAnswering(first), answering.isAnswering(second)], [true, false]);
    model(4);
    answering.shown(second);
    assert.deepEqual(sent, []);
    leave.dispose();
    assert.deepEqual(sent, ['model 4'], 'the query that no client got');
    assert.ok(answering.isAnswering(second));
    model(5);
    assert.deepEqual(sent, ['model 4']);
  });
});

function terminalAt(startIndex: number, cursor: number) {
  const skipped = new SkippedRecords();
  return { startIndex, cursor, skipped, hasSkipped: (index: number) => skipped.has(index) };
}
