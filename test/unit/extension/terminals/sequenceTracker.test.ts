import assert from 'node:assert/strict';
import { SequenceTracker } from '../../../../src/extension/terminals/sequenceTracker.ts';

const ESC = '\u001b';

function groundAfter(text: string): boolean {
  const tracker = new SequenceTracker();
  tracker.feed(text);
  return tracker.isGround;
}

describe('SequenceTracker', () => {
  it('tracks the start and the end of sequences', () => {
    const sequences = [
      `${ESC}[38;5;196m`,
      `${ESC}]0;title\u0007`,
      `${ESC}]8;;http://x${ESC}\\`,
      `${ESC}P+q544e${ESC}\\`,
      `${ESC}(B`,
      `${ESC}7`,
      `\u009b1;2H`,
      `\u009d0;t\u009c`,
      `${ESC}_app${ESC}\\`,
    ];
    for (const sequence of sequences) {
      assert.equal(groundAfter(`text${sequence}`), true, JSON.stringify(sequence));
      for (let length = 1; length < sequence.length; length++) {
        const part = sequence.slice(0, length);
        assert.equal(groundAfter(part), false, JSON.stringify(part));
      }
    }
  });

  it('gives the same result for any chunking', () => {
    const text = `a${ESC}[1mb${ESC}]0;t\u0007c${ESC}[5n${ESC}[0;5nd`;
    for (let at = 0; at <= text.length; at++) {
      const tracker = new SequenceTracker();
      tracker.feed(text.slice(0, at));
      tracker.feed(text.slice(at));
      assert.equal(tracker.isGround, true);
      assert.equal(tracker.takeStatusQueries(), 1);
    }
  });

  it('lets a cancel end any sequence, and an escape start another', () => {
    assert.equal(groundAfter(`${ESC}[38;5\u0018`), true);
    assert.equal(groundAfter(`${ESC}]0;t\u001a`), true);
    assert.equal(groundAfter(`${ESC}[38;${ESC}[m`), true);
    assert.equal(groundAfter(`${ESC}[38;${ESC}`), false);
  });

  it('counts status queries, not similar sequences', () => {
    const tracker = new SequenceTracker();
    tracker.feed(`${ESC}[5n${ESC}[6n${ESC}[?5n${ESC}[15n\u009b5n${ESC}]0;${ESC}[5n`);
    assert.equal(tracker.takeStatusQueries(), 3);
    assert.equal(tracker.takeStatusQueries(), 0);
  });
});
