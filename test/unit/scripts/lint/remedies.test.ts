import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorsWithoutRemedy } from '../../../../scripts/lint/remedies.mjs';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the lint of errors that say to do something first', () => {
  const folder = useTemporaryFolder();

  function put(file: string, text: string): void {
    const target = path.join(folder.path, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  it('requires a remedy', () => {
    put(
      'src/sessions/remove.ts',
      `export function remove() {
        throw new UserError('running', 'Stop it first.');
      }
      export function trust() {
        const text = t('Trust this workspace first: it runs a program.');
        throw new UserError('not-trusted', text);
      }`,
    );
    assert.deepEqual(
      errorsWithoutRemedy(folder.path).map((sentence) => sentence.replace(/: .*/, '')),
      ['src/sessions/remove.ts:2', 'src/sessions/remove.ts:6'],
    );
  });

  it('accepts a remedy, other texts, other errors, and the command line', () => {
    put(
      'src/sessions/remove.ts',
      `export function remove() {
        if (isGone) {
          throw new UserError('gone', 'The files are saved first, so you can undo this.');
        }
        if (!isOpen) throw new Error('Open it first.');
        { throw new UserError('running', 'Stop it first.', { remedy: { kind: 'stop' } }); }
      }`,
    );
    put('src/cli/stop.ts', "throw new UserError('running', 'Stop it first: ah agent stop');");
    assert.deepEqual(errorsWithoutRemedy(folder.path), []);
  });
});
