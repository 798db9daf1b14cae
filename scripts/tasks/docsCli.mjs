// Writes docs/cli.md.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildProgram } from '../../src/cli/program.ts';
import { cliReference } from '../docs/cliReference.mjs';

const file = path.resolve(import.meta.dirname, '../../docs/cli.md');
writeFileSync(file, cliReference(buildProgram({ version: '', distFolder: '' })));
