import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  carriedPaths,
  CarryPattern,
  DEFAULT_CARRIED,
} from '../../../../src/branching/common/carriedFiles.ts';
import type { Omission } from '../../../../src/snapshots/common/provider.ts';

const carried = (omissions: readonly Omission[], patterns: readonly string[]) =>
  carriedPaths(
    omissions,
    patterns.map((pattern) => new CarryPattern(pattern)),
  ).carried;

describe('the ignored files to carry', () => {
  const omissions = [
    '.env',
    '.env.local',
    'node_modules/',
    'packages/a/node_modules',
    'packages/a/node_modules/x/dist',
    'logs',
    'sub/dist',
    '/etc/.env',
    '../.env',
  ].map((path) => ({ path, reason: 'ignored' as const }));

  it('are the outermost ones with matching names, and none outside of the workspace', () => {
    assert.deepEqual(carried(omissions, ['.env*', 'node_modules', 'dist']), [
      '.env',
      '.env.local',
      'node_modules',
      'packages/a/node_modules',
      'sub/dist',
    ]);
    assert.deepEqual(carried(omissions, ['sub/*']), ['sub/dist']);
    assert.deepEqual(carried(omissions, []), []);
  });

  it('are all ignored files of a matching folder, even if the snapshot has some of its files', () => {
    const parts = ['build/app.js', 'build/lib/', 'packages/a/build/x', 'rebuild/y', 'src/a.log'];
    const left = parts.map((path) => ({ path, reason: 'ignored' as const }));
    assert.deepEqual(carried(left, ['build']), ['build/app.js', 'build/lib', 'packages/a/build/x']);
    assert.deepEqual(carried(left, ['packages/*/build']), ['packages/a/build/x']);
    assert.deepEqual(carried(left, ['a/build']), []);
  });

  it('are the same by default in the editor and on the command line', () => {
    const file = path.resolve(import.meta.dirname, '../../../../package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
      contributes: { configuration: { properties: Record<string, { default: unknown }> } };
    };
    const { properties } = manifest.contributes.configuration;
    assert.deepEqual(properties['ah.branches.bringAlong']?.default, DEFAULT_CARRIED);
  });

  it('do not include files that were left out for another reason', () => {
    const large = [{ path: 'node_modules', reason: 'too-large' as const }];
    assert.deepEqual(carried(large, ['node_modules']), []);
  });
});
