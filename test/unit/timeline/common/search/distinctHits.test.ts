import assert from 'node:assert/strict';
import {
  countDistinct,
  distinctHits,
} from '../../../../../src/timeline/common/search/distinctHits.ts';
import type { SearchHit } from '../../../../../src/timeline/common/search/searchHits.ts';

function hit(excerpt: string, timeMs: number): SearchHit {
  return {
    excerpt,
    timeMs,
    byteOffset: timeMs,
    recordIndex: timeMs,
    start: 0,
    length: 1,
    isPassing: false,
  };
}

const texts = (...found: Parameters<typeof distinctHits>) =>
  distinctHits(...found).map(({ first, count }) => [first.excerpt, first.timeMs, count]);

describe('distinctHits', () => {
  it('lists a line once that the agent draws again and again, at its first time', () => {
    const frames = Array.from({ length: 11 }, (_, at) => hit('│ npm test       │', 20 + at));
    assert.deepEqual(texts([hit('npm test', 10), hit('npm test failed', 12), ...frames], []), [
      ['npm test', 10, 12],
      ['npm test failed', 12, 1],
    ]);
  });

  it('sorts by time, since moments are found before the screen', () => {
    assert.deepEqual(texts([hit('a moment', 30), hit('a line', 10)], []), [
      ['a line', 10, 1],
      ['a moment', 30, 1],
    ]);
  });

  it('leaves out what a prompt near it says, in all its repetitions', () => {
    const prompt = { timeMs: 1000, excerpt: 'Fix the test and say why' };
    const shown = [hit('> fix the test', 900), hit('> fix the test', 500_000)];
    assert.deepEqual(texts(shown, [prompt]), []);
    assert.deepEqual(texts([hit('test', 2000), hit('the test: 2 of 3', 2000)], [prompt]), [
      ['the test: 2 of 3', 2000, 1],
    ]);
  });

  it('keeps the same text at another time, and longer lines that contain a short prompt', () => {
    const prompt = { timeMs: 0, excerpt: 'test' };
    const line = 'test the parser with a new file';
    assert.deepEqual(texts([hit(line, 0), hit('test', 100_000)], [prompt]), [
      [line, 0, 1],
      ['test', 100_000, 1],
    ]);
  });

  it('compares texts without letters as they are', () => {
    assert.deepEqual(texts([hit('=>', 1), hit(' => ', 2), hit('->', 3)], []), [
      ['=>', 1, 2],
      ['->', 3, 1],
    ]);
  });
});

describe('countDistinct', () => {
  it('keeps the first of each, in order', () => {
    const counted = countDistinct(['b1', 'a1', 'b2'], (text) => text.charAt(0));
    assert.deepEqual(counted, [
      { first: 'b1', count: 2 },
      { first: 'a1', count: 1 },
    ]);
  });
});
