import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cliReference } from '../../../scripts/docs/cliReference.mjs';
import { buildProgram } from '../../../src/cli/program.ts';

const file = path.resolve(import.meta.dirname, '../../../docs/cli.md');

describe('docs/cli.md', () => {
  it('matches the program; after a change run: npm run docs:cli', () => {
    const program = buildProgram({ version: '', distFolder: '' });
    assert.equal(readFileSync(file, 'utf8'), cliReference(program));
  });
});
