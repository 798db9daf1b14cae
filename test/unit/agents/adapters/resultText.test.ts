import assert from 'node:assert/strict';
import { resultText } from '../../../../src/agents/adapters/resultText.ts';

describe('resultText', () => {
  const table: readonly [string, Parameters<typeof resultText>[0], string][] = [
    ['the output of a command', { stdout: 'one', stderr: 'two', interrupted: false }, 'one\ntwo'],
    ['the errors of a command', { stdout: '', stderr: 'two', interrupted: false }, 'two'],
    ['nothing for a command without output', { stdout: '', stderr: '', isImage: false }, ''],
    ['nothing for an edit', { filePath: '/w/a', oldString: 'a', structuredPatch: [] }, ''],
    ['nothing for a new file', { type: 'create', content: 'a', structuredPatch: [] }, ''],
    ['the files that a search found', { filenames: ['a', 'b'], numFiles: 2 }, 'a\nb'],
    ['the file that was read', { type: 'text', file: { filePath: 'a', content: 'x' } }, 'x'],
    ['anything else as JSON', { unknown: 1 }, '{"unknown":1}'],
  ];
  for (const [name, value, expected] of table) {
    it(`gives ${name}`, () => assert.equal(resultText(value), expected));
  }
});
