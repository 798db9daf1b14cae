import assert from 'node:assert/strict';
import { redactSecrets, secretsIn } from '../../../src/agents/redact.ts';

/** Made up, in the shape of the real ones. */
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
  it('takes out every known kind, wherever it stands', () => {
    for (const secret of SECRETS) {
      for (const text of [secret, `key ${secret}.`, `{"k":"${secret}"}`, `(${secret})\nx`]) {
        const safe = redactSecrets(text);
        assert.ok(!safe.includes(secret), safe);
        assert.ok(safe.includes('[redacted]'));
      }
    }
  });

  it('takes out what its name says is secret, and leaves the name', () => {
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

  it('takes out private keys whole, cut ones too', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----';
    assert.equal(redactSecrets(`a ${key} b`), 'a [redacted] b');
    assert.equal(redactSecrets('-----BEGIN PRIVATE KEY-----\nMIIEabc'), '[redacted]');
  });

  it('leaves what is no secret', () => {
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

  it('takes out values that are known, the longest first', () => {
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

  it('is quick on hostile text', () => {
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
