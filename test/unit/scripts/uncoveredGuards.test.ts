import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCoveredText } from '../../../scripts/coverage/coveredText.mjs';
import { hasCode, uncoveredGuards } from '../../../scripts/coverage/uncoveredGuards.mjs';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

describe('uncovered guards', () => {
  const folder = useTemporaryFolder();

  /** Runs the program once per argument, each in a process of its own. */
  function guardsAfter(text: string, ...args: string[]) {
    const root = realpathSync(folder.path);
    const [file, reports] = [path.join(root, 'program.ts'), path.join(root, 'reports')];
    writeFileSync(file, text);
    for (const arg of args)
      execFileSync(process.execPath, [file, arg], {
        env: { ...process.env, NODE_V8_COVERAGE: reports },
      });
    const covered = readCoveredText(reports, root).get(file);
    assert.ok(covered);
    return uncoveredGuards(file, text, covered);
  }

  const places = (guards: ReturnType<typeof guardsAfter>) =>
    guards.map(({ line, kind }) => `${line} ${kind}`);

  const EVERY_KIND = `type Größe = { 'ä€😀': number }; const all: Größe[] = [];
function run(word: string): number {
  if (word === 'return') return 1;
  try {
    if (word === 'throw') throw new Error(word as 'throw');
  } catch {}
  for (const one of [word] satisfies string[]) {
    if (one === 'continue') continue;
    if (one === 'break') {
      break;
    }
  }
  switch (word) {
    case 'case':
      return 2;
    default:
      break;
  }
  void Promise.resolve(word)
    .then(() => { if (word === 'reject') throw new Error(word); })
    .catch(() => all.length);
  return 3;
}
run(process.argv[2]!);
`;

  it('are found by character offsets, after types and non-ASCII text', () => {
    assert.deepEqual(places(guardsAfter(EVERY_KIND, 'none')), [
      '3 return',
      '5 throw',
      '6 catch',
      '8 continue',
      '9 break',
      '14 return',
      '20 throw',
      '21 catch',
    ]);
  });

  it('are guards that no process ran', () => {
    const words = ['return', 'throw', 'continue', 'break', 'reject'];
    assert.deepEqual(places(guardsAfter(EVERY_KIND, ...words)), ['14 return']);
    assert.deepEqual(places(guardsAfter(EVERY_KIND, 'case', 'none')), []);
  });

  it('are listed once with their content, also in functions that were never called', () => {
    const guards = guardsAfter(
      `try { process.pid; } catch (error) {
  if (error) throw error;
}
function unused(a: number) {
  if (a > 1) {
    for (;;) if (a > 2) break;
    return 1;
  }
  return 2;
}
`,
      '',
    );
    assert.deepEqual(places(guards), ['1 catch', '5 return']);
    assert.equal(guards[1]?.source, 'if (a > 1) { for (;;) if (a > 2) break; return 1; }');
  });

  it('can be explained by a comment on their line, above or inside', () => {
    const guards = guardsAfter(
      `function unused(a: number) {
  if (a > 1) return; // Untested: on the line.
  if (a > 2) return;
  // Untested: above,
  // in two lines.
  if (a > 3) return;
  if (a > 4) return;
  if (a > 5) {
    // Untested: inside.
    return;
  }
  try {
    return;
  } catch {
    // Untested: in a catch.
  }
}
`,
      '',
    );
    assert.deepEqual(
      guards.map(({ reason }) => reason),
      ['on the line.', undefined, 'above, in two lines.', undefined, 'inside.', 'in a catch.'],
    );
  });

  it('are not searched in files with types only', () => {
    assert.equal(hasCode('a.ts', `import type { B } from './b.ts';\nexport type A = B;`), false);
    assert.equal(hasCode('a.ts', 'export const a = 1;'), true);
  });
});
