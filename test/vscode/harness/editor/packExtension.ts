import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const projectFolder = path.resolve(import.meta.dirname, '../../../..');

/** Packages the extension for this platform. */
export function packExtension(): string {
  const args = ['scripts/tasks/package.mjs'];
  const result = spawnSync(process.execPath, args, { cwd: projectFolder, encoding: 'utf8' });
  assert.equal(result.status, 0, result.stdout + result.stderr);
  const manifest = readFileSync(path.join(projectFolder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  const target = `${process.platform}-${process.arch}`;
  return path.join(projectFolder, `${name}-${target}-${version}.vsix`);
}
