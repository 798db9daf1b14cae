import assert from 'node:assert/strict';
import { isOnlyReplies, isTyped } from '../../../../src/extension/terminals/terminalReplies.ts';

const ESC = '\u001b';

describe('isOnlyReplies', () => {
  it('recognizes the replies of terminals', () => {
    const replies = [
      `${ESC}[?1;2c`,
      `${ESC}[>0;276;0c`,
      `${ESC}[24;80R`,
      `${ESC}[0n`,
      `${ESC}[?997;1n`,
      `${ESC}[6;17;8t`,
      `${ESC}[?2026;2$y`,
      `${ESC}[?0u`,
      `${ESC}]11;rgb:1e1e/1e1e/1e1e${ESC}\\`,
      `${ESC}]4;1;rgb:cdcd/0000/0000\u0007`,
      `${ESC}P1$r0m${ESC}\\`,
      `${ESC}P>|xterm.js(6.0.0)${ESC}\\`,
    ];
    for (const reply of replies) assert.equal(isOnlyReplies(reply), true, JSON.stringify(reply));
    assert.equal(isOnlyReplies(replies.join('')), true);
  });

  it('does not match keys', () => {
    const keys = ['c', 'R', '\r', '\u0003', ESC, `${ESC}[A`, `${ESC}OR`, `${ESC}[15~`, `${ESC}[I`];
    for (const key of keys) assert.equal(isOnlyReplies(key), false, JSON.stringify(key));
    assert.equal(isOnlyReplies(`${ESC}[0nx`), false);
    assert.equal(isOnlyReplies(''), false);
  });
});

describe('isTyped', () => {
  it('does not count replies and focus reports as typing', () => {
    for (const sent of [`${ESC}[I`, `${ESC}[O`, `${ESC}[O${ESC}[I`, `${ESC}[0n${ESC}[O`, '']) {
      assert.equal(isTyped(sent), false, JSON.stringify(sent));
    }
  });

  it('counts keys as typing, also next to a focus report', () => {
    for (const key of ['x', '\r', ESC, `${ESC}[A`, `${ESC}OP`, `${ESC}[Ix`]) {
      assert.equal(isTyped(key), true, JSON.stringify(key));
    }
  });
});
