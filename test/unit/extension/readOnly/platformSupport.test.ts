import assert from 'node:assert/strict';
import { canRecordOn } from '../../../../src/extension/readOnly/platformSupport.ts';

describe('canRecordOn', () => {
  it('accepts Linux and macOS', () => {
    for (const platform of ['linux', 'darwin']) assert.equal(canRecordOn(platform), true);
  });

  it('refuses Windows and unknown platforms', () => {
    for (const platform of ['win32', 'freebsd', '']) assert.equal(canRecordOn(platform), false);
  });
});
