import assert from 'node:assert/strict';
import {
  checkBranchName,
  freeName,
  referenceName,
  suggestedName,
} from '../../../../src/branching/common/branchName.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  carriedPaths,
  CarryPattern,
  DEFAULT_CARRIED,
} from '../../../../src/branching/common/carriedFiles.ts';
import type { Omission } from '../../../../src/snapshots/common/provider.ts';

describe('the name of a branch', () => {
  it('is made of the message, else of the moment', () => {
    assert.equal(
      suggestedName('Use a queue, not a lock!  And more words', 'x'),
      'use-a-queue-not-a',
    );
    assert.equal(suggestedName(undefined, 'Edit src/a.ts'), 'edit-src-a-ts');
    assert.equal(suggestedName('Größe prüfen', ''), 'größe-prüfen');
    assert.equal(suggestedName('!!!', ''), 'branch');
  });

  it('gets a number when it is taken', () => {
    const taken = new Set(['a', 'a-2']);
    assert.equal(
      freeName('a', (name) => taken.has(name)),
      'a-3',
    );
  });

  it('is refused when a folder cannot be called so', () => {
    for (const name of ['', '  ', 'a/b', '..', 'a\nb', '\\', 'x'.repeat(81)]) {
      assert.throws(() => checkBranchName(name), { code: 'bad-argument' }, JSON.stringify(name));
    }
    assert.equal(checkBranchName(' ein Zweig ü '), 'ein Zweig ü');
  });

  it('becomes a reference of plain letters', () => {
    assert.equal(referenceName('näme 2 / x'), 'na-me-2-x');
    assert.equal(referenceName('日本'), 'branch');
  });
});

const carried = (omissions: readonly Omission[], patterns: readonly string[]) =>
  carriedPaths(
    omissions,
    patterns.map((pattern) => new CarryPattern(pattern)),
  ).carried;

describe('the ignored files that come along', () => {
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

  it('are those whose names fit, the outermost of them, and none outside', () => {
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

  it('are all that is left out of a folder of that name, though something of it is not', () => {
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

  it('are not those that were left out for another reason', () => {
    const large = [{ path: 'node_modules', reason: 'too-large' as const }];
    assert.deepEqual(carried(large, ['node_modules']), []);
  });
});
