import assert from 'node:assert/strict';
import { oneLine, shortened } from '../../../src/agents/common/bounded.ts';
import { redactSecrets, secretsIn } from '../../../src/redaction/redact.ts';

/** Invented keys in the format of real ones. */
const SECRETS = [
  'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789',
  'sk-proj-abcdefghijklmnopqrstuvwxyz',
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv',
  'glpat-abcdefghij0123456789',
  'AKIAIOSFODNN7EXAMPLE',
  'AIzaSyA1234567890abcdefghijklmnopqrstuvw',
  'xoxb-123456789012-abcdefghijkl',
  'npm_abcdefghijklmnopqrstuvwxyz0123456789',
  'hf_abcdefghijklmnopqrstuvwxyz',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
];

describe('redactSecrets', () => {
  it('removes secrets of every known kind', () => {
    for (const secret of SECRETS) {
      for (const text of [secret, `key ${secret}.`, `{"k":"${secret}"}`, `(${secret})\nx`]) {
        const safe = redactSecrets(text);
        assert.ok(!safe.includes(secret), safe);
        assert.ok(safe.includes('[redacted]'));
      }
    }
  });

  it('removes values with secret names, and keeps the names', () => {
    const table: readonly [string, string][] = [
      ['password=hunter2 next', 'password=[redacted] next'],
      ['DB_PASSWORD="a b c"', 'DB_PASSWORD=[redacted]'],
      ['"apiKey": "abc123"', '"apiKey": [redacted]'],
      ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
      ["curl -H 'Authorization: token abcdef'", "curl -H 'Authorization: token [redacted]'"],
      ['login --password s3cret -v', 'login --password [redacted] -v'],
      ['postgres://me:pa55word@host/db', 'postgres://me:[redacted]@host/db'],
      ['export GITHUB_TOKEN=abc; ls', 'export GITHUB_TOKEN=[redacted]; ls'],
    ];
    for (const [text, expected] of table) assert.equal(redactSecrets(text), expected);
  });

  it('removes private keys, also incomplete ones', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----';
    assert.equal(redactSecrets(`a ${key} b`), 'a [redacted] b');
    assert.equal(redactSecrets('-----BEGIN PRIVATE KEY-----\nMIIEabc'), '[redacted]');
  });

  it('keeps harmless text', () => {
    for (const text of [
      'npm test -- --grep token',
      'The password is stored in $DB_PASSWORD.',
      'const token = parser.next();',
      'password: string;',
      'see https://example.org/a:b and src/token.ts:12',
      'commit 3f2a9c1b7d',
      'export TOKEN=$OTHER_TOKEN',
    ]) {
      assert.equal(redactSecrets(text), text);
    }
  });

  it('removes known values, the longest first', () => {
    const env = {
      MY_API_KEY: 'abcdefgh',
      OTHER_TOKEN: 'abcdefgh-longer',
      HOME: '/root/abcdefgh',
      PIN_KEY: '12',
    };
    const secrets = secretsIn(env);
    assert.deepEqual(secrets, ['abcdefgh-longer', 'abcdefgh']);
    assert.equal(redactSecrets('x abcdefgh-longer y', secrets), 'x [redacted] y');
  });

  it('removes the start of a secret in a shortened text', () => {
    for (const secret of SECRETS) {
      for (const length of [12, 20]) {
        const safe = redactSecrets(`run it with ${secret.slice(0, length)}…`);
        assert.equal(safe, 'run it with [redacted]…', secret.slice(0, length));
      }
    }
    assert.equal(redactSecrets('a known-sec…', ['known-secret-1']), 'a [redacted]…');
    assert.equal(redactSecrets('Bearer abcd…'), 'Bearer [redacted]…');
    assert.equal(redactSecrets('a task-f… and more …'), 'a task-f… and more …');
  });

  it('leaves no part of a secret where the middle of a text was left out', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIabc0123456789xyz\n'.repeat(60)}-----END RSA PRIVATE KEY-----`;
    const known = 'known/value+of-a-variable';
    for (const secret of [...SECRETS, 'password="correct horse battery staple"', known, key]) {
      for (let before = 0; before < 60; before += 7) {
        const text = `${'word '.repeat(118).slice(before)}${secret} ${'more '.repeat(400)}`;
        const other = `${'word '.repeat(400)}${secret} ${'more '.repeat(79).slice(before)}`;
        for (const whole of [text, other]) {
          const safe = redactSecrets(shortened(whole, 1000), [known]);
          assert.ok(safe.length < 1100);
          for (let at = 4; at + 8 < secret.length; at += 3) {
            const part = secret.slice(at, at + 8);
            assert.ok(
              !safe.includes(part) || /password|BEGIN|END|KEY/.test(part),
              `${part}: ${safe}`,
            );
          }
        }
      }
    }
  });

  it('leaves no part of a secret at the cut end of a title', () => {
    for (const secret of [
      'https://user:hunter2-pass@host',
      `SG.${'abcd1234'.repeat(3)}.${'x'.repeat(20)}`,
    ]) {
      for (let before = 150; before < 200; before++) {
        const title = oneLine(
          `${'word '.repeat(40).slice(-before)}${secret} ${'more '.repeat(40)}`,
        );
        assert.ok(title.length <= 200);
        assert.ok(!/hunter|abcd/.test(redactSecrets(title)), title);
      }
    }
  });

  it('is fast on hostile text', () => {
    const start = performance.now();
    for (const text of [
      'a'.repeat(1e6),
      'password='.repeat(5e4),
      '://:'.repeat(1e5),
      '-----BEGIN PRIVATE KEY-----'.repeat(1e4),
    ]) {
      redactSecrets(text);
    }
    assert.ok(performance.now() - start < 5000, `${performance.now() - start} ms`);
  });
});
