import assert from 'node:assert/strict';
import { exactInput } from '../../../../../src/agents/common/events/exactInput.ts';

describe('exactInput', () => {
  const table: readonly [string, string, Parameters<typeof exactInput>[1], string][] = [
    ['a command', 'Bash', { command: 'a && b\nc', timeout: 5 }, 'a && b\nc'],
    ['a command as a list', 'shell', { command: ['bash', '-lc', 'ls'] }, 'bash -lc ls'],
    [
      'an edit',
      'Edit',
      { file_path: '/w/a.ts', old_string: 'one\ntwo\n', new_string: 'three' },
      '--- /w/a.ts\n-one\n-two\n+three',
    ],
    ['a new file', 'Write', { file_path: 'b', content: 'x\ny' }, '+++ b\n+x\n+y'],
    ['a patch', 'apply_patch', '*** Begin Patch\n…', '*** Begin Patch\n…'],
    ['an edit with a diff', 'edit', { diff: '@@ -1 +1 @@', filePath: 'c' }, '@@ -1 +1 @@'],
    [
      'the changes of several files',
      'apply_patch',
      {
        path: 'd, e, f',
        changes: {
          d: { type: 'update', unified_diff: '@@ -1 +1 @@\n-x\n+y\n', move_path: null },
          e: { type: 'add', content: 'z\n' },
          f: { type: 'delete', content: 'w\n' },
        },
      },
      '--- d\n@@ -1 +1 @@\n-x\n+y\n+++ e\n+z\n--- f\n-w',
    ],
    ['anything else', 'Web', { url: 'x', depth: 2 }, '{"url":"x","depth":2}'],
    ['nothing', '', null, ''],
  ];
  for (const [name, tool, input, expected] of table) {
    it(`shows ${name}`, () => assert.equal(exactInput(tool, input), expected));
  }

  it('shortens long inputs, with a note', () => {
    const text = exactInput('Bash', { command: 'x'.repeat(100_000) });
    assert.ok(text.length < 9000);
    assert.match(text, /92000 characters left out/);
  });
});
