import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, '../../fixtures/golden');

/** Compares with a reviewed file; `UPDATE_GOLDEN=1` rewrites it for another review. */
export function assertGolden(name: string, actual: string): void {
  const file = path.join(FOLDER, name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, actual);
  }
  assert.equal(actual, readFileSync(file, 'utf8'), `differs from ${file}`);
}
