import assert from 'node:assert/strict';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { assertionReasons } from '../../../../scripts/lint/assertionReasons.mjs';

/** @returns the lines of the refused assertions */
function refusedLines(code: string): number[] {
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser as Linter.Parser },
    plugins: { ah: { rules: { reasons: assertionReasons } } },
    rules: { 'ah/reasons': 'error' as const },
  };
  const messages = new Linter().verify(code, config, { filename: 'new.ts' });
  for (const { message } of messages) assert.match(message, /say why the value is there/);
  return messages.map(({ line }) => line);
}

describe('reasons of non-null assertions', () => {
  it('are missed', () => {
    assert.deepEqual(refusedLines('f(a!);\nf(a!, b!);'), [1, 2, 2]);
    assert.deepEqual(refusedLines('f(!a, a != b);'), []);
  });

  it('may stand on the line or up to three lines above', () => {
    assert.deepEqual(refusedLines('f(a!); // The caller has checked it.'), []);
    assert.deepEqual(refusedLines('// The caller has checked it.\nf();\nf();\nf(a!);'), []);
    assert.deepEqual(refusedLines('// The caller has checked it.\nf();\nf();\nf();\nf(a!);'), [5]);
    assert.deepEqual(refusedLines('f(a!);\n// Something else.'), [1]);
  });

  const far = 'f();\n'.repeat(4);

  it('may stand further above if they name the assertion', () => {
    assert.deepEqual(refusedLines(`// The \`!\`s: all are checked.\n${far}f(a!);`), []);
    assert.deepEqual(refusedLines(`// All are checked.\n${far}f(a!);`), [6]);
    const field = 'class A {\n/** `!`: one per row. */\nb = 1;\n';
    assert.deepEqual(refusedLines(`${field}c() {\n${far}f(this.b!);\n}\n}`), []);
    assert.deepEqual(refusedLines(`function g() {\n// \`!\`: one per row.\n${far}f(a!);\n}`), []);
  });

  it('count for their own function only', () => {
    const other = `function g() {\n// \`!\`: one per row.\nf(a!);\n}\n${far}`;
    assert.deepEqual(refusedLines(`${other}f(a!);`), [9]);
  });
});
