import assert from 'node:assert/strict';
import { missingFiles } from '../../../../src/branching/common/missingFiles.ts';
import type { Omission } from '../../../../src/snapshots/common/provider.ts';

const omitted = (...reasons: Omission['reason'][]): Omission[] =>
  reasons.map((reason, index) => ({ path: `f${index + 1}`, reason }));

describe('the files that a branch lacks', () => {
  it('are not mentioned if only ignored files are missing', () => {
    assert.deepEqual(missingFiles([], 'worktree'), []);
    assert.deepEqual(missingFiles(omitted('ignored'), 'clone'), []);
  });

  it('are listed with the reason: the first ones by name, the others counted', () => {
    assert.deepEqual(missingFiles(omitted('too-large', 'ignored', 'unreadable'), 'clone'), [
      'The branch lacks files that are not in the snapshot: f1 (too large), f3 (it could not be read).',
    ]);
    const [said] = missingFiles(omitted('special', 'unstable', 'special', 'special'), 'in-place');
    assert.equal(
      said,
      'Files that are not in the snapshot stay as they are: f1 (not a regular file), f2 (it changed while it was read), f3 (not a regular file) and 1 more.',
    );
  });

  it('may have a sentence about the whole snapshot', () => {
    const said = 'The snapshot was never compared with all files.';
    const whole: Omission = { path: '', reason: 'unstable', detail: said };
    assert.deepEqual(missingFiles([whole], 'clone'), [said]);
    const ignored: Omission = { path: '', reason: 'ignored', detail: 'and 7 more' };
    assert.deepEqual(missingFiles([...omitted('too-large'), ignored, whole], 'clone'), [
      'The branch lacks files that are not in the snapshot: f1 (too large).',
      said,
    ]);
  });

  it('are listed without invisible characters', () => {
    const path = `a\u001b[2J\n${'x'.repeat(500)}`;
    const [said] = missingFiles([{ path, reason: 'too-large' }], 'worktree');
    assert.doesNotMatch(said!, /[\u0000-\u001f]/);
    assert.ok(said!.length < 150, said);
  });
});
