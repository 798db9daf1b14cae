import assert from 'node:assert/strict';
import { TerminalFeed, WINDOW_BYTES } from '../../../../src/extension/terminals/terminalFeed.ts';

const PROBE = '\u001b[5n';
const REPLY = '\u001b[0n';

function makeFeed() {
  const written: string[] = [];
  const acknowledged: number[] = [];
  const feed = new TerminalFeed(
    (text) => written.push(text),
    (bytes) => acknowledged.push(bytes),
  );
  return { feed, written, acknowledged };
}

const letters = (count: number) => Buffer.alloc(count, 'a');

describe('TerminalFeed', () => {
  it('decodes characters that are split between chunks', () => {
    const { feed, written } = makeFeed();
    const bytes = Buffer.from('grün 🎉');
    for (const byte of bytes) feed.output(Uint8Array.of(byte));
    assert.equal(written.join(''), 'grün 🎉');
  });

  it('marks the current line outside of escape sequences', () => {
    const { feed, written } = makeFeed();
    const mark = '\u001b]633;SetMark\u0007';
    feed.output(letters(3));
    feed.mark();
    feed.output(Buffer.from('b\u001b[3'));
    feed.mark();
    feed.output(Buffer.from('1mc'));
    feed.output(letters(1));
    assert.equal(written.join(''), `aaa${mark}b\u001b[31mc${mark}a`);
  });

  it('sends no query for little output', () => {
    const { feed, written } = makeFeed();
    feed.output(letters(1000));
    assert.equal(written.join(''), 'a'.repeat(1000));
  });

  it('acknowledges bytes when the terminal replies, and hides that reply from the program', () => {
    const { feed, written, acknowledged } = makeFeed();
    feed.output(letters(40_000));
    assert.ok(written.join('').endsWith(PROBE));
    assert.deepEqual(acknowledged, []);
    assert.equal(feed.takeReplies(`x${REPLY}y`), 'xy');
    assert.deepEqual(acknowledged, [40_000]);
    assert.equal(feed.takeReplies(REPLY), REPLY);
  });

  it('sends no query within an escape sequence', () => {
    const { feed, written } = makeFeed();
    feed.output(Buffer.concat([letters(40_000), Buffer.from('\u001b[38;5')]));
    assert.ok(!written.join('').includes(PROBE));
    feed.output(Buffer.from(';196m!'));
    assert.ok(written.join('').endsWith(`\u001b[38;5;196m!${PROBE}`));
  });

  it('passes on replies to the program’s own queries, in order', () => {
    const { feed, acknowledged } = makeFeed();
    feed.output(Buffer.from(PROBE));
    feed.output(letters(40_000));
    feed.output(Buffer.from(PROBE));
    assert.equal(feed.takeReplies(REPLY), REPLY);
    assert.equal(feed.takeReplies(REPLY), '');
    assert.deepEqual(acknowledged, [40_004]);
    assert.equal(feed.takeReplies(REPLY), REPLY);
  });

  it('acknowledges a string sequence that fills the window', () => {
    const { feed, written, acknowledged } = makeFeed();
    feed.output(Buffer.from('\u001bPq'));
    for (let sent = 0; sent < WINDOW_BYTES; sent += 32_768) feed.output(letters(32_768));
    assert.ok(!written.join('').includes(PROBE));
    assert.ok(acknowledged.length > 0);
  });

  it('resets with a state, even within a sequence', () => {
    const { feed, written } = makeFeed();
    feed.output(Buffer.from([0x1b, 0x5b, 0x33, 0xf0, 0x9f]));
    written.length = 0;
    feed.reset(Buffer.from('state'));
    assert.equal(written.join(''), '\u0018\u001bcstate');
    feed.output(letters(40_000));
    assert.ok(written.join('').endsWith(PROBE));
  });
});
