import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { extensionTexts } from '../../support/localizedTexts.ts';

const root = path.resolve(import.meta.dirname, '../../..');

function read(file: string): Record<string, string> {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, string>;
}

const placeholders = (text: string) => [...new Set(text.match(/\{\d+\}/g))].sort();
/** Parts that must not be translated: command links and code. */
const fixedParts = (text: string) => text.match(/\(command:[\w.]+\)|`[^`]+`/g)?.sort() ?? [];

/** Texts that developers read. */
const ENGLISH_ONLY = ['src/extension/diagnostics/reportProblem.ts'];

describe('localization', () => {
  const { localized, unreadable, plain } = extensionTexts();

  it('lists every text of the source, and no other (npm run l10n)', () => {
    assert.deepEqual(unreadable, []);
    const bundle = read('l10n/bundle.l10n.json');
    assert.deepEqual(Object.keys(bundle), [...localized].sort());
    for (const [key, text] of Object.entries(bundle)) assert.equal(text, key);
  });

  it('localizes every sentence that users may see', () => {
    const forPeople = plain.filter((text) => !ENGLISH_ONLY.some((file) => text.startsWith(file)));
    assert.deepEqual(forPeople, []);
  });

  const languages = globSync('package.nls.*.json', { cwd: root }).map(
    (file) => file.split('.')[2]!,
  );

  it('is translated at least once', () => assert.ok(languages.includes('de')));

  for (const language of languages) {
    for (const [source, translation] of [
      ['l10n/bundle.l10n.json', `l10n/bundle.l10n.${language}.json`],
      ['package.nls.json', `package.nls.${language}.json`],
    ] as const) {
      it(`has all of ${source} in ${language}, each text with what is put into it`, () => {
        const original = read(source);
        const translated = read(translation);
        assert.deepEqual(Object.keys(translated).sort(), Object.keys(original).sort());
        for (const [key, text] of Object.entries(original)) {
          assert.deepEqual(placeholders(translated[key]!), placeholders(text), key);
          assert.deepEqual(fixedParts(translated[key]!), fixedParts(text), key);
          assert.notEqual(translated[key]!.trim(), '', key);
        }
      });
    }
  }
});
