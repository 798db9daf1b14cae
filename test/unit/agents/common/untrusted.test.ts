import assert from 'node:assert/strict';
import { stringifyExactJson } from '../../../../src/base/exactJson.ts';
import { parseFields } from '../../../../src/agents/common/untrusted.ts';

describe('parseFields', () => {
  it('keeps every integer exact that a number cannot hold', () => {
    const line =
      '{"a":1790000000000000001,"b":[12345678901234567, -9007199254740993],"c": {"d":9007199254740992}}';
    const fields = parseFields(line)!;
    assert.equal(fields['a'], 1790000000000000001n);
    assert.deepEqual(fields['b'], [12345678901234567n, -9007199254740993n]);
    assert.deepEqual(fields['c'], { d: 9007199254740992n });
    assert.equal(stringifyExactJson(fields), line.replaceAll(/([,:]) /g, '$1'));
  });

  it('uses numbers where they suffice, and leaves digits in texts unchanged', () => {
    const line =
      '{"maximum":9007199254740991,"minimum":-9007199254740991,"id":"1234567890123456789"}';
    assert.deepEqual(parseFields(line), {
      maximum: Number.MAX_SAFE_INTEGER,
      minimum: Number.MIN_SAFE_INTEGER,
      id: '1234567890123456789',
    });
    assert.equal(stringifyExactJson(parseFields(line)), line);
  });

  it('is undefined for anything but an object', () => {
    for (const line of ['', '[1]', '12345678901234567', 'null', '{', '"{}"']) {
      assert.equal(parseFields(line), undefined, line);
    }
  });
});
