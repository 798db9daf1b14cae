import assert from 'node:assert/strict';
import { RetryingSink } from '../../../../src/recording/write/retryingSink.ts';
import { ClipboardMatcher } from '../../../../src/scrub/common/screenMatchers.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { MemoryFile } from '../../../support/recording/memoryFile.ts';

describe('RetryingSink in the background', () => {
  it('keeps written blocks when it is abandoned while the disk hangs', async () => {
    const clock = new FakeClock();
    const file = new MemoryFile();
    let syncs = 0;
    const sink = new RetryingSink(
      {
        append: (bytes) => file.append(bytes),
        truncate: (length) => file.truncate(length),
        sync: () => {
          syncs += 1;
          return new Promise<void>(() => undefined);
        },
      },
      clock,
      1000,
    );
    await sink.append(() => Promise.resolve(Buffer.from('kept')));
    await clock.advance(60_000);
    assert.equal(syncs, 1);
    sink.abandon();
    await clock.advance(60_000);
    assert.equal(Buffer.from(file.bytes).toString(), 'kept');
    await assert.rejects(
      sink.append(() => Promise.resolve(Buffer.from('more'))),
      { code: 'recording-abandoned' },
    );
  });
});

describe('texts in what is copied to the clipboard', () => {
  const matches = (output: string) => {
    const matcher = new ClipboardMatcher('secret');
    return Array.from(Buffer.from(output), (byte, at) => matcher.push(byte, at)).filter(Boolean);
  };
  const copied = (coded: string) => `\x1b]52;c;${coded}\x07`;

  it('are found after a query of the clipboard, or after invalid base64', () => {
    const coded = Buffer.from('a secret').toString('base64');
    assert.equal(matches(copied('?')).length, 0);
    assert.equal(matches(copied('?') + copied('%%%') + copied(coded)).length, 1);
  });
});
