import assert from 'node:assert/strict';
import { movedValue, textMover } from '../../../../src/agents/trim/movedText.ts';

describe('texts of a moved folder', () => {
  const moved = textMover([
    { from: '/a/my project', to: '/b/bränch "1"' },
    { from: '/private/a/my project', to: '/b/bränch "1"' },
  ]);
  const CASES: readonly [string, string][] = [
    ['/a/my project', '/b/bränch "1"'],
    ['cd "/a/my project" && ls', 'cd "/b/bränch "1"" && ls'],
    ['/a/my project/src/x.ts:3', '/b/bränch "1"/src/x.ts:3'],
    ['In /a/my project.', 'In /b/bränch "1".'],
    ['/private/a/my project/x', '/b/bränch "1"/x'],
    ['file:///a/my%20project/x', 'file:///b/br%C3%A4nch%20%221%22/x'],
    ['{"path":"/a/my project"}', '{"path":"/b/bränch \\"1\\""}'],
    [
      'diff --git a/a/my project/x b/a/my project/x',
      'diff --git a/b/bränch "1"/x b/b/bränch "1"/x',
    ],
    ['--out=/a/my project/o', '--out=/b/bränch "1"/o'],
    ['HOME=/a/my project', 'HOME=/b/bränch "1"'],
    ['cc -I/a/my project/x', 'cc -I/b/bränch "1"/x'],
    ['-I/a/my project', '-I/b/bränch "1"'],
    ['one-I/a/my project', 'one-I/a/my project'],
    ['--x=./a/my project', '--x=./a/my project'],
    ['/a/my project=2', '/a/my project=2'],
    ['/a/my project2', '/a/my project2'],
    ['/a/my project.git', '/a/my project.git'],
    ['/a/my project-old/x', '/a/my project-old/x'],
    ['/b/a/my project', '/b/a/my project'],
    ['x/a/my project', 'x/a/my project'],
    ['./a/my project', './a/my project'],
  ];
  for (const [before, after] of CASES) {
    it(`${before} → ${after}`, () => assert.equal(moved(before), after));
  }

  it('change in field names and values, except in signed ones', () => {
    const value = {
      '/a/my project/x': [{ text: 'see /a/my project', n: 12345678901234567890n }],
      thought: { type: 'thinking', thinking: '/a/my project', signature: 's' },
      encrypted_content: '/a/my project',
    };
    assert.deepEqual(movedValue(value, moved), {
      '/b/bränch "1"/x': [{ text: 'see /b/bränch "1"', n: 12345678901234567890n }],
      thought: { type: 'thinking', thinking: '/a/my project', signature: 's' },
      encrypted_content: '/a/my project',
    });
  });

  it('stay unchanged when nothing has moved', () => {
    const stays = textMover([
      { from: '/a', to: '/a' },
      { from: '/', to: '/b' },
    ]);
    assert.equal(stays('/a/b'), '/a/b');
  });
});
