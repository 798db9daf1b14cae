import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const projectFolder = path.resolve(import.meta.dirname, '../../../..');

/** Packages the extension for browsers. */
export function packForBrowsers(): string {
  const args = ['scripts/tasks/package.mjs', 'web'];
  const result = spawnSync(process.execPath, args, { cwd: projectFolder, encoding: 'utf8' });
  assert.equal(result.status, 0, result.stdout + result.stderr);
  const manifest = readFileSync(path.join(projectFolder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  return path.join(projectFolder, `${name}-web-${version}.vsix`);
}
