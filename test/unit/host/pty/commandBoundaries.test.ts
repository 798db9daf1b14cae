import assert from 'node:assert/strict';
import { CommandBoundaries } from '../../../../src/host/pty/commandBoundaries.ts';

const SESSION =
  '\x1b]633;D\x07\x1b]633;A\x07$ \x1b]633;B\x07' +
  '\x1b]633;E;npm test\\x3b ls;nonce\x07\x1b]633;C\x07' +
  'output \x1b[31mred\x1b[m \x1b]0;title\x07' +
  '\x1b]633;D;0\x07\x1b]633;A\x07$ \x1b]633;D\x07' +
  '\x1b]133;C\x1b\\more\x1b]133;D;1\x1b\\';

describe('the ends of commands in a recorded shell', () => {
  it('are detected wherever the output is split', () => {
    const bytes = Buffer.from(SESSION);
    for (let length = 1; length <= bytes.length; length++) {
      const found: (string | undefined)[] = [];
      const boundaries = new CommandBoundaries((command) => found.push(command));
      for (let at = 0; at < bytes.length; at += length)
        boundaries.push(bytes.subarray(at, at + length));
      assert.deepEqual(found, ['npm test; ls', undefined], `in pieces of ${length}`);
    }
  });

  for (const [title, output, expected] of [
    [
      'are reported once if two integrations announce them',
      '\x1b]633;E;make\x07\x1b]633;C\x07\x1b]133;C\x07 \x1b]133;D;0\x07\x1b]633;D;0\x07',
      ['make'],
    ],
    [
      'are found after a command whose end was not announced',
      '\x1b]133;C\x07 \x1b]133;A\x07\x1b]633;E;make\x07\x1b]633;C\x07\x1b]633;D\x07',
      ['make'],
    ],
    [
      'have the command line that fish 4 sends with the start',
      '\x1b]133;C;cmdline_url=echo%20%C3%A4%3B\x07\x1b]133;D;0\x07',
      ['echo ä;'],
    ],
    [
      'have no name that is not encoded',
      '\x1b]133;C;cmdline_url=%\x07\x1b]133;D;0\x07',
      [undefined],
    ],
  ] as const) {
    it(title, () => {
      const found: (string | undefined)[] = [];
      new CommandBoundaries((command) => found.push(command)).push(Buffer.from(output));
      assert.deepEqual(found, expected);
    });
  }
});
