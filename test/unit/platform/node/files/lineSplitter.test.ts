import assert from 'node:assert/strict';
import { LineSplitter } from '../../../../../src/platform/node/files/lineSplitter.ts';

describe('LineSplitter', () => {
  let lines: string[];
  let tooLong: number;
  let splitter: LineSplitter;

  beforeEach(() => {
    lines = [];
    tooLong = 0;
    splitter = new LineSplitter(
      (line) => lines.push(line),
      8,
      () => tooLong++,
    );
  });

  it('joins pieces to lines, also within a character', () => {
    for (const byte of Buffer.from('ä\r\nb\n\n')) splitter.push(Buffer.from([byte]));
    assert.deepEqual(lines, ['ä', 'b', '']);
  });

  it('copies the start of a line, so that the caller may reuse its buffer', () => {
    const chunk = Buffer.from('one');
    splitter.push(chunk);
    chunk.fill('x');
    splitter.push(Buffer.from('\n'));
    assert.deepEqual(lines, ['one']);
  });

  it('skips a line that is too long, and reports it once', () => {
    splitter.push(Buffer.from('12345678\n1234'));
    splitter.push(Buffer.from('56789'));
    splitter.push(Buffer.from('more\nnext\n'));
    assert.deepEqual(lines, ['12345678', 'next']);
    assert.equal(tooLong, 1);
  });

  it('flushes a last line without a line end, and nothing else', () => {
    splitter.flush();
    splitter.push(Buffer.from('last'));
    splitter.flush();
    splitter.flush();
    assert.deepEqual(lines, ['last']);
  });

  it('forgets the current line when reset', () => {
    splitter.push(Buffer.from('old'));
    splitter.reset();
    splitter.push(Buffer.from('new\n'));
    assert.deepEqual(lines, ['new']);
  });
});
