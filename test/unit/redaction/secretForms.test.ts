import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { SecretMask } from '../../../src/host/redaction/secretMask.ts';
import { FORMS } from '../../../src/redaction/secretForms.ts';
import { redactSecrets } from '../../../src/redaction/redact.ts';

/** Invented, and put together here, so that no scanner takes this file for a leak. */
const letters = 'aB3dE5gH7jK9mN1pQ';
const long = letters.repeat(3);
const hex = '0123456789abcdef'.repeat(2);

/** Each with the secret between the two parts. */
const FORMS_WITH_SECRETS: readonly (readonly [before: string, secret: string, after: string])[] = [
  ['export SECRET_KEY="', letters, '"\n'],
  ['SECRET_KEY_BASE=', letters, '\n'],
  ['AWS_SECRET_ACCESS_KEY = "', letters, '"\n'],
  ['DB_PASS=', 'hunter2', '\n'],
  ['DB_PASS: ', 'hunter2', '\n'],
  ["'db_pass' => '", 'hunter2', "',\n"],
  ['smtp_pwd = "', 'hunter2', '"\n'],
  ['[server]\napi_key = "', letters, '"\n'],
  ["password = '", 'correct horse', "'\n"],
  ['token = "', letters, '"\n'],
  ['<password>', 'hunter2', '</password>\n'],
  ['<db:apiKey type="x">', letters, '</db:apiKey>\n'],
  ['<add key="ApiKey" value="', letters, '"/>\n'],
  ["'password' => '", 'hunter2', "'\n"],
  ["define('DB_PASSWORD', '", 'hunter2', "');\n"],
  ["define( 'AUTH_KEY', '", 'put your phrase', "' );\n"],
  ["$password = '", 'hunter2', "';\n"],
  [`https://hooks.slack.com/${'services'}/`, `T0000000/B0000000/${letters}`, '\n'],
  [`https://discord.com/api/${'webhooks'}/123456789012345678/`, long, '\n'],
  ['bot 123456789:', `AA${long.slice(0, 33)}`, '\n'],
  [`login M${long.slice(0, 23)}.`, `${letters.slice(0, 6)}.${long.slice(0, 27)}`, '\n'],
  ['databricks ', `${'da'}pi${hex}`, '\n'],
  ['twilio ', `${'S'}K${hex}`, '\n'],
  ['curl -s -u admin:', 'hunter2', ' https://example.org\n'],
  ['curl --user "admin:', 'hunter2', '" https://example.org\n'],
  ["curl -b 'sid=", 'hunter2', "' https://example.org\n"],
  ['mysql -h db -u root -p', 'hunter2', ' shop\n'],
  ["mysqldump -uroot -p'", 'hunter two', "' shop\n"],
  ['sshpass -p ', 'hunter2', ' ssh host\n'],
  ['redis-cli -h db -a ', 'hunter2', '\n'],
  ['Cookie: sid=', letters, '\r\n'],
  ['Set-Cookie: sid=', letters, '; Path=/\r\n'],
];

describe('secrets that are recognized by where they stand', () => {
  it('are removed from texts', () => {
    for (const form of FORMS_WITH_SECRETS) {
      const [, secret] = form;
      const safe = redactSecrets(`some words\n${form.join('')}more`);
      assert.ok(!safe.includes(secret), safe);
      assert.ok(safe.startsWith('some words\n'), safe);
      assert.ok(safe.endsWith('more'), safe);
    }
  });

  it('become stars of the same length, also in pieces', () => {
    for (const form of FORMS_WITH_SECRETS) {
      const [before, secret, after] = form;
      const text = `${before}${secret}${after}`;
      for (const size of [text.length, 7, 1]) {
        const mask = new SecretMask([]);
        let masked = '';
        for (let at = 0; at < text.length; at += size)
          masked += Buffer.from(mask.mask(Buffer.from(text.slice(at, at + size)))).toString();
        assert.equal(masked.length, text.length);
        const shown = masked.slice(before.length, before.length + secret.length);
        const clear = [...shown].filter((letter, at) => letter === secret[at] && letter !== '*');
        // The first letters of a value without a known beginning look like any other word.
        const most = size === text.length ? 0 : 4;
        assert.ok(clear.length <= most, `${size}: ${masked}`);
      }
    }
  });

  it('are not found in other texts', () => {
    const roots = ['src', 'docs', 'test/fixtures'].map((name) =>
      path.resolve(import.meta.dirname, '../../..', name),
    );
    const files = roots.flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => path.join(root, name)),
    );
    let bytes = 0;
    const found: string[] = [];
    for (const file of files.filter((each) => statSync(each).isFile())) {
      if (/secretForms\.ts$/.test(file)) continue;
      const text = readFileSync(file, 'latin1');
      bytes += text.length;
      for (const form of FORMS)
        for (const [match] of text.matchAll(form)) found.push(`${file}: ${match.slice(0, 100)}`);
    }
    assert.ok(found.length <= bytes / 1e6, found.join('\n'));
  });

  it('are searched quickly in hostile texts', () => {
    const start = performance.now();
    for (const text of [
      'curl ',
      'mysql ',
      '<a ',
      'Cookie: ',
      'M',
      '123456789:',
      'define(',
      'pass="',
    ])
      redactSecrets(text.repeat(500_000 / text.length));
    assert.ok(performance.now() - start < 20_000, `${performance.now() - start} ms`);
  });
});
