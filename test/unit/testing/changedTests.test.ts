import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { chooseTests } from '../../../scripts/testing/changedTests.mjs';
import { featuresOf } from '../../../scripts/testing/features.mjs';

const root = path.resolve(import.meta.dirname, '../../..');

/** For some modules: tests that a change must run, and tests that it must not run. */
const EXPECTED = {
  'src/base/errors.ts': {
    runs: [
      'test/unit/recording/read/reader.test.ts',
      'test/unit/snapshots/common/restore/applyRestore.test.ts',
      'test/process/branching/branchCommands.test.ts',
      'test/vscode/page/timeline/keys.test.ts',
      'test/vscode/inHost/search/search.test.ts',
      'test/vscode/promises/branching/recordToApply.test.ts',
    ],
    leaves: [],
  },
  'src/recording/write/writer.ts': {
    runs: [
      'test/unit/recording/write/writer.test.ts',
      'test/process/recording/diskFull.test.ts',
      'test/process/recording/alone/kill.test.ts',
      'test/vscode/promises/recording/openedFile.test.ts',
    ],
    leaves: [
      'test/unit/snapshots/common/retention.test.ts',
      'test/process/branching/branchMerge.test.ts',
    ],
  },
  'src/snapshots/common/retention.ts': {
    runs: [
      'test/unit/snapshots/common/retention.test.ts',
      'test/process/snapshots/retention.test.ts',
      'test/vscode/inHost/snapshots/snapshots.test.ts',
      'test/vscode/promises/snapshots/restore.test.ts',
    ],
    leaves: ['test/unit/recording/write/writer.test.ts', 'test/vscode/page/timeline/keys.test.ts'],
  },
  'src/branching/node/plan/planBranch.ts': {
    runs: [
      'test/process/branching/branchExactness.test.ts',
      'test/vscode/promises/branching/recordToApply.test.ts',
      'test/vscode/journeys/branching/branch.test.ts',
    ],
    leaves: ['test/process/scrub/scrub.test.ts', 'test/unit/recording/write/writer.test.ts'],
  },
  'src/webview/timeline/scrubber/scrubberView.ts': {
    runs: [
      'test/vscode/page/timeline/parts.test.ts',
      'test/vscode/inHost/timeline/timeline.test.ts',
    ],
    leaves: ['test/unit/recording/write/writer.test.ts', 'test/process/sessions/lifecycle.test.ts'],
  },
};

describe('tests chosen for a change', () => {
  for (const [module, { runs, leaves }] of Object.entries(EXPECTED)) {
    it(`are chosen for ${module}`, () => {
      const files = chooseTests(root, [module]).flatMap((group) => group.files);
      for (const file of runs) assert.ok(files.includes(file), file);
      for (const file of leaves) assert.ok(!files.includes(file), file);
    });
  }

  it('include tests that use a changed helper, and changed tests', () => {
    const groups = chooseTests(root, [
      'test/support/git/randomWorkspace.ts',
      'test/process/cli/cliErrors.test.ts',
    ]);
    const files = groups.flatMap((group) => group.files);
    assert.ok(files.includes('test/unit/snapshots/git/property.test.ts'));
    assert.ok(files.includes('test/process/cli/cliErrors.test.ts'));
    assert.ok(!files.includes('test/process/sessions/lifecycle.test.ts'));
  });

  it('are estimated by their last duration', () => {
    const [guess] = chooseTests(root, ['src/snapshots/common/retention.ts']);
    const known = new Map([['test/unit/snapshots/common/retention.test.ts', 50]]);
    const [measured] = chooseTests(root, ['src/snapshots/common/retention.ts'], known);
    assert.ok(guess!.seconds < 10, `${guess!.seconds} s`);
    assert.ok(measured!.seconds >= 50, `${measured!.seconds} s`);
  });

  it('are empty for files that no test uses', () => {
    assert.deepEqual(chooseTests(root, ['docs/guide.md']), []);
    assert.deepEqual(featuresOf('README.md'), []);
  });

  it('belong to features with folders, for every source file', () => {
    assert.deepEqual(featuresOf('src/branching/node/plan/planBranch.ts'), [
      'branching',
      'compatibility',
    ]);
    assert.deepEqual(featuresOf('src/snapshots/btrfs/btrfsProvider.ts'), [
      'snapshots',
      'btrfs',
      'compatibility',
    ]);
    assert.deepEqual(featuresOf('src/extension/terminals/terminal.ts'), ['sessions']);
    assert.deepEqual(featuresOf('src/extension/commandRegistry.ts'), ['extension']);
    assert.ok(featuresOf('src/base/errors.ts').length > 10, 'all use it');
    for (const file of globSync('src/**/*.ts', { cwd: root })) {
      assert.ok(featuresOf(file).length > 0, file);
    }
  });
});
