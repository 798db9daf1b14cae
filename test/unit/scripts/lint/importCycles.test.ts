import assert from 'node:assert/strict';
import { importCycles } from '../../../../scripts/lint/importCycles.mjs';

const cyclesOf = (sources: Record<string, string>) =>
  importCycles(new Map(Object.entries(sources)));

describe('import cycles', () => {
  for (const statement of [
    "import { b } from './sub/b.ts';",
    "import type { B } from './sub/b.ts';",
    "export { b } from './sub/b.ts';",
    "export type { B } from './sub/b.ts';",
    "void import('./sub/b.ts');",
    "let b: import('./sub/b.ts').B;",
  ]) {
    it(`are found through \`${statement}\``, () => {
      const sources = { 'src/a.ts': statement, 'src/sub/b.ts': "import '../c.ts';" };
      const cycle = ['src/a.ts', 'src/sub/b.ts', 'src/c.ts', 'src/a.ts'];
      assert.deepEqual(cyclesOf({ ...sources, 'src/c.ts': "import '../src/a.ts';" }), [cycle]);
      assert.deepEqual(cyclesOf({ ...sources, 'src/c.ts': "import 'node:fs';" }), []);
    });
  }

  it('are not found where files share an import, or import a package', () => {
    const sources = {
      'src/a.ts': "import './b.ts'; import './c.ts';",
      'src/b.ts': "import './c.ts'; import 'vscode';",
      'src/c.ts': '// import "./a.ts";',
    };
    assert.deepEqual(cyclesOf(sources), []);
  });

  it('are found behind a file that was visited before', () => {
    const sources = {
      'src/a.ts': "import './b.ts'; import './c.ts';",
      'src/b.ts': "import './c.ts';",
      'src/c.ts': "import './b.ts';",
    };
    assert.deepEqual(cyclesOf(sources), [['src/b.ts', 'src/c.ts', 'src/b.ts']]);
  });
});
