import assert from 'node:assert/strict';
import { redactLine, redactText, redactValue } from '../../../src/redaction/redactValue.ts';

const KEY = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

describe('redactValue', () => {
  it('removes secrets from texts, names and members with secret names', () => {
    const value = { a: [`use ${KEY}`, 1n], [KEY]: true, db_password: 'x', password: '$PASSWORD' };
    assert.deepEqual(redactValue(value, []), {
      a: ['use [redacted]', 1n],
      '[redacted]': true,
      db_password: '[redacted]',
      password: '$PASSWORD',
    });
    const clean = { a: ['nothing'], b: { key: 'Enter' } };
    assert.equal(redactValue(clean, []), clean);
  });

  it('keeps JSON valid with all digits, and lines without secrets unchanged', () => {
    const line = `{"n":1790000000123456789,"password":"a","t":"TOKEN=\\"b c\\""}`;
    const safe = redactLine(line, []);
    assert.equal(safe, '{"n":1790000000123456789,"password":"[redacted]","t":"TOKEN=[redacted]"}');
    assert.equal(redactLine('{ "a" : 1 }', []), '{ "a" : 1 }');
    assert.equal(redactLine(`no JSON, ${KEY}`, []), 'no JSON, [redacted]');
  });

  it('finds secrets in all of a long text, and keeps the rest', () => {
    const long = `${'word '.repeat(200_000)}${KEY} ${'x'.repeat(700_000)} end`;
    const safe = redactText(long, []);
    assert.equal(safe, long.replace(KEY, '[redacted]'));
  });

  it('does not cut a secret when it splits a long text', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIabc0123456789\n'.repeat(300)}-----END RSA PRIVATE KEY-----`;
    const words = 'a=b\n'.repeat(64 * 1024);
    for (const [secret, left] of [
      [KEY, /ghp_|[a-z0-9]{20}/],
      [key, /MII/],
      ['password: hunter-the-second', /hunter/],
    ] as const) {
      // A piece would end inside of it.
      for (const before of [1, 5, 12, 20, 30, 300]) {
        const long = `${words.slice(0, 256 * 1024 - before)}\n${secret}\n${words}`;
        assert.doesNotMatch(redactText(long, []), left);
      }
    }
    const full = `${KEY} `.repeat(20_000);
    assert.doesNotMatch(redactText(full, []), /ghp_|[a-z0-9]{20}/);
  });
});
