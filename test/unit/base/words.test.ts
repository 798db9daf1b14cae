import assert from 'node:assert/strict';
import { parseWords, speak, t } from '../../../src/base/words.ts';

describe('words', () => {
  afterEach(() => speak({}));

  it('are English until others are given', () => {
    assert.equal(t('{0} files', 3), '3 files');
    speak({ '{0} files': '{0} Dateien', '{0} of {1}': 'von {1}: {0}' });
    assert.equal(t('{0} files', 3), '3 Dateien');
    assert.equal(t('{0} of {1}', 1, 2), 'von 2: 1');
    assert.equal(t('{0} tools', 2), '2 tools');
    assert.equal(t('constructor'), 'constructor');
  });

  it('are pairs of texts, whatever else there is', () => {
    assert.deepEqual(parseWords({ a: 'b', c: 1, d: null, e: { message: 'f' } }), { a: 'b' });
    for (const value of [undefined, null, 'a', 7]) assert.deepEqual(parseWords(value), {});
  });
});
