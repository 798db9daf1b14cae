import assert from 'node:assert/strict';
import { byteText } from '../../../src/base/byteText.ts';
import { parseMoment, positiveNumber, wholeNumber } from '../../../src/cli/arguments.ts';
import { formatDuration, formatTable, printable } from '../../../src/cli/formatting.ts';
import { parseIpcChoice } from '../../../src/sessions/node/launchSpec.ts';

describe('CLI arguments', () => {
  it('parse all forms of a moment', () => {
    assert.deepEqual(parseMoment('@198000'), { byte: 198000 });
    assert.deepEqual(parseMoment('95.5'), { elapsedSeconds: 95.5 });
    assert.deepEqual(parseMoment('95s'), { elapsedSeconds: 95 });
    assert.deepEqual(parseMoment('1:35'), { elapsedSeconds: 95 });
    assert.deepEqual(parseMoment('1:02:03'), { elapsedSeconds: 3723 });
    assert.deepEqual(parseMoment('2026-01-31T14:32:07Z'), {
      timeNs: 1769869927000000000n,
    });
    for (const bad of ['', 'now', '@', '@-1', '1:2:3:4', '-5', '2026-13-99T99:99']) {
      assert.throws(() => parseMoment(bad), /^InvalidArgumentError: Use /);
    }
  });

  it('reject numbers out of bounds', () => {
    assert.equal(wholeNumber(0, 11)('11'), 11);
    for (const bad of ['12', '-1', '1.5', 'x', '']) assert.throws(() => wholeNumber(0, 11)(bad));
    assert.equal(positiveNumber('0.25'), 0.25);
    for (const bad of ['0', '-1', 'x', 'Infinity']) assert.throws(() => positiveNumber(bad));
  });

  it('accept only loopback addresses for the snapshot socket', () => {
    assert.deepEqual(parseIpcChoice('uds'), { kind: 'uds' });
    assert.deepEqual(parseIpcChoice('tcp:127.0.0.1:0'), {
      kind: 'tcp',
      host: '127.0.0.1',
      port: 0,
    });
    assert.deepEqual(parseIpcChoice('tcp:[::1]:80'), { kind: 'tcp', host: '::1', port: 80 });
    for (const bad of [
      '',
      'pipe',
      'tcp:',
      'tcp:localhost',
      'tcp:0.0.0.0:80',
      'tcp:example.org:80',
      'tcp:127.0.0.1:70000',
    ]) {
      assert.throws(() => parseIpcChoice(bad), { code: 'bad-argument' });
    }
  });
});

describe('CLI formatting', () => {
  it('formats durations and sizes', () => {
    assert.deepEqual([0.42, 41.9, 761, 3899].map(formatDuration), [
      '0.4 s',
      '41 s',
      '12:41',
      '1 h 04',
    ]);
    assert.deepEqual([0, 999, 1200, 123_456, 1_400_000].map(byteText), [
      '0 B',
      '999 B',
      '1.2 kB',
      '123 kB',
      '1.4 MB',
    ]);
  });

  it('aligns tables and replaces control characters', () => {
    assert.equal(
      formatTable([
        ['a', 'long', 'x'],
        ['bb', 'c', 'yy'],
      ]),
      'a   long  x\nbb  c     yy',
    );
    assert.equal(printable('a\x1b[31mb\u009bc\n'), 'a\ufffd[31mb\ufffdc\ufffd');
  });
});
