import assert from 'node:assert/strict';
import { RedactingWriter } from '../../../../src/host/redaction/redactingWriter.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { Random } from '../../../support/random.ts';

const KNOWN = 'known:välue/0123456789+abcdef=';
const SEVERAL_LINES = 'first line of it\nsecond: line\nthird/line';
const TOKEN = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOP';

/** The bytes that the writer writes when the output arrives in these pieces. */
function written(pieces: readonly Uint8Array[]): Buffer {
  const bytes: Uint8Array[] = [];
  const writer = new RedactingWriter(
    {
      append: (record: AhrRecord) => 'bytes' in record && bytes.push(record.bytes),
      onDidWriteBlock: () => undefined,
    },
    [KNOWN, SEVERAL_LINES],
  );
  let startByteOffset = 0;
  for (const each of pieces) {
    writer.append({ kind: 'data', tsNs: 1n, startByteOffset, bytes: each });
    startByteOffset += each.length;
  }
  return Buffer.concat(bytes);
}

/** The output as a whole, byte by byte, seven bytes at a time, and in random pieces. */
function waysOf(output: string | Buffer): Buffer[][] {
  const bytes = Buffer.from(output as string);
  const random = new Random(11);
  const cut = (next: () => number): Buffer[] => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = at + next();
      pieces.push(Buffer.from(bytes.subarray(at, end)));
      at = end;
    }
    return pieces;
  };
  return [[Buffer.from(bytes)], cut(() => 1), cut(() => 7), cut(() => 1 + random.below(200))];
}

/** The visible text as one line. */
function seen(output: Buffer): string {
  return output
    .toString('latin1')
    .replace(/\u001b\[[\d;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007|[\r\n]/g, '');
}

/** Asserts that no sequence of this many characters is left. */
function assertGone(output: string | Buffer, secret: string, most = 6): void {
  for (const pieces of waysOf(output)) {
    const safe = written(pieces);
    assert.equal(safe.length, Buffer.byteLength(output), 'as many bytes');
    const text = seen(safe);
    const bytes = Buffer.from(secret).toString('latin1').replaceAll(/\s/g, '');
    for (let at = 0; at + most <= bytes.length; at += Math.ceil(most / 3)) {
      const part = bytes.slice(at, at + most);
      assert.ok(!text.includes(part), `${part} of it, in ${pieces.length} pieces`);
    }
  }
}

/** Base64 without repetitions. */
function body(lines: number, seed: number): string[] {
  const random = new Random(seed);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return Array.from({ length: lines }, () =>
    Array.from({ length: 64 }, () => letters[random.below(64)]).join(''),
  );
}

function keyBlock(name: string, lines: readonly string[]): string {
  return [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`].join('\r\n');
}

describe('secrets in pieces of output', () => {
  it('are removed from the first key on where a program redraws its input line', () => {
    const keys = [`${'gh'}p_aB3dE5gH7jK9mN1pQrS3tU5vW7xY9zA2cE4g`, TOKEN];
    for (const key of keys) {
      for (const [before, after] of [
        ['\r\u001b[K> ', ''],
        ['\u001b[2J\u001b[H╭──╮\r\n│ > \u001b[39m', '▌\u001b[7m \u001b[0m  │\r\n╰──╯\r\n 3 busy'],
        [
          '\u001b[24;1H\u001b[K❯ export KEY=',
          '\u001b[7m \u001b[0m     (esc to cancel)\u001b[1;70Hnoon s',
        ],
      ] as const) {
        const lengths = [1, 2, 3, 4, 5, 6, 9, 14, 19, 20, 24, 25, key.length - 1, key.length];
        const frames = lengths.map((length) => `${before}${key.slice(0, length)}${after}`);
        assertGone(frames.join(''), key, key.startsWith('sk') ? 8 : 5);
      }
    }
  });

  it('are not seen in words that begin like keys', () => {
    const output = '> ask-me\r\n$ npm run x\r\nASIA\r\nlocale: sk-SK is one\r\nnpm_command\r\n';
    for (const pieces of [[Buffer.from(output)]]) assert.equal(written(pieces).toString(), output);
  });

  it('are removed up to the last line of a private key of any length', () => {
    for (const count of [10, 70, 150]) {
      const lines = body(count, count);
      const output = `$ cat key\r\n${keyBlock('RSA PRIVATE KEY', lines)}\r\nand more words\r\n$ `;
      assertGone(output, lines.join(''), 12);
      for (const pieces of waysOf(output)) {
        const safe = written(pieces).toString();
        assert.ok(safe.startsWith('$ cat key\r\n'));
        assert.ok(safe.endsWith('\r\nand more words\r\n$ '), safe.slice(-60));
      }
    }
  });

  it('are removed for other kinds of keys, numbered, indented, in a box and in JSON', () => {
    const lines = body(70, 3);
    const pgp = keyBlock('PGP PRIVATE KEY BLOCK', ['', ...lines]);
    const putty = ['PuTTY-User-Key-File-3: x', 'Private-Lines: 70', ...lines, 'Private-MAC: 00'];
    const marked = (mark: (line: string, at: number) => string) =>
      keyBlock('OPENSSH PRIVATE KEY', lines).split('\r\n').map(mark).join('\r\n');
    for (const output of [
      pgp,
      putty.join('\r\n'),
      marked((line, at) => `${String(at).padStart(6)}\u001b[2m→\u001b[0m${line}`),
      marked((line) => `\u001b[32m+${line}\u001b[0m\u001b[K`),
      marked((line) => `│ ${line.padEnd(70)} │`),
      JSON.stringify({ key: keyBlock('PRIVATE KEY', lines) }),
    ]) {
      assertGone(`before\r\n${output}\r\nbehind\r\n`, lines.join(''), 12);
    }
  });

  it('do not affect text after the mention of a key', () => {
    const prose = Array.from({ length: 40 }, (_, at) => `line ${at} of words as people write them`);
    const output = `grep: -----BEGIN PRIVATE KEY----- found\r\n${prose.join('\r\n')}\r\n`;
    for (const pieces of waysOf(output)) {
      const safe = written(pieces).toString();
      assert.ok(safe.includes(prose.slice(15).join('\r\n')), safe);
    }
  });

  it('are removed even if they are longer than the searched tail', () => {
    const [long] = [body(120, 5).join('').replaceAll(/[+/]/g, 'x')];
    const web = `eyJhbGciOiJSUzI1NiJ9.eyJ${long}.${long}`;
    for (const output of [`password=${long} `, `Bearer ${long}\r\n`, `t ${web} `]) {
      assertGone(output, long, 16);
    }
  });

  it('are removed in open quotes, and before the text that identifies them', () => {
    const secret = 'correct horse battery staple 42';
    assertGone(`login password="${secret}" next`, secret);
    assertGone(`{ "api_key": '${secret}' }`, secret);
    assertGone(`login --password '${secret}'; x`, secret);
    assertGone('curl -H "X: Bearer abcdefghijklm0123456789" x', 'abcdefghijklm0123456789');
    assertGone('psql postgres://me:horse-battery-staple@host/db', 'horse-battery-staple');
    for (const pieces of waysOf('on http://localhost:3000 and https://a.example:65535/x ok')) {
      const safe = written(pieces).toString();
      assert.equal(safe, 'on http://localhost:3000 and https://a.example:65535/x ok');
    }
  });

  it('are removed between escape sequences that keep the cursor', () => {
    for (const between of [
      '\u001b[?25l',
      '\u001b[K',
      '\u001b[0m\u001b[?2026h',
      '\u001b7',
      '\u001b(B',
      '\u001b\u001b[1m',
    ]) {
      for (const secret of [TOKEN, KNOWN]) {
        assertGone(`x ${[...secret].join(between)} y`, secret);
      }
    }
  });

  it('are removed after incomplete sequences', () => {
    for (const broken of ['\u001b]0;title\u001b[31m', '\u001b[3\u0018', '\u001b\u001b[1m']) {
      assertGone(`${broken}${TOKEN} y`, TOKEN);
    }
  });

  it('are removed from wrapped lines, with and without a box', () => {
    const wrapped = (secret: string, start: string, end: string) =>
      secret
        .match(/.{1,20}/gsu)!
        .map((part) => `${start}${part}${end}`)
        .join('\r\n');
    for (const secret of [TOKEN, KNOWN]) {
      for (const [start, end] of [
        ['', ''],
        ['  ', ''],
        ['│ ', ' │'],
        ['\u001b[2G', '\u001b[K'],
      ] as const) {
        const output = Buffer.from(`x\r\n${wrapped(secret, start, end)}\r\nand on\r\n`);
        const bytes = Buffer.from(secret).toString('latin1');
        const text = seen(written([output])).replaceAll(/\xe2\x94\x82| /g, '');
        for (let at = 0; at + 6 <= bytes.length; at++) {
          assert.ok(
            !text.includes(bytes.slice(at, at + 6)),
            `${text} has ${bytes.slice(at, at + 6)}`,
          );
        }
        assert.ok(text.endsWith('andon'), text);
      }
    }
    // The value of a variable may have several lines.
    const lines = SEVERAL_LINES.replaceAll('\n', '\r\n');
    assertGone(`x ${lines} y`, lines);
    // Known secrets are removed in pieces too.
    assertGone(wrapped(KNOWN, '', ''), KNOWN);
  });

  it('are removed after escapes of other languages', () => {
    for (const before of ['\\n', '\\t', 'a=%20', '\\u001b[31m', '_', '"', 'KEY_']) {
      const safe = written([Buffer.from(`x ${before}${TOKEN}"`)]).toString();
      assert.ok(!safe.includes('abcdefgh'), safe);
    }
    const harmless = 'a task-force of disk-abcdefghijklmnopqrstuvw and a npm_config x\r\n';
    assert.equal(written([Buffer.from(harmless)]).toString(), harmless);
  });

  it('are removed from clipboard sequences', () => {
    const coded = Buffer.from(`my ${TOKEN} and more, ${'long '.repeat(2000)}`).toString('base64');
    for (const pieces of waysOf(`a\u001b]52;c;${coded}\u0007b`)) {
      const safe = written(pieces).toString();
      assert.equal(safe, `a\u001b]52;c;${'*'.repeat(coded.length)}\u0007b`);
    }
  });
});
