import assert from 'node:assert/strict';
import { missingFiles } from '../../../../src/branching/common/missingFiles.ts';
import type { Omission } from '../../../../src/snapshots/common/provider.ts';

const omitted = (...reasons: Omission['reason'][]): Omission[] =>
  reasons.map((reason, index) => ({ path: `f${index + 1}`, reason }));

describe('what a branch lacks', () => {
  it('is nothing where the snapshot has all but what is ignored', () => {
    assert.deepEqual(missingFiles([], 'worktree'), []);
    assert.deepEqual(missingFiles(omitted('ignored'), 'clone'), []);
  });

  it('is named with the reason, the first of them, and the others counted', () => {
    assert.deepEqual(missingFiles(omitted('too-large', 'ignored', 'unreadable'), 'clone'), [
      'The branch lacks what the snapshot does not have: f1 (too large), f3 (it could not be read).',
    ]);
    const [said] = missingFiles(omitted('special', 'unstable', 'special', 'special'), 'in-place');
    assert.equal(
      said,
      'What the snapshot does not have stays as it is: f1 (no ordinary file), f2 (it changed while it was read), f3 (no ordinary file) and 1 more.',
    );
  });

  it('may be more than is named', () => {
    const said = 'The snapshot was never compared with all files.';
    const whole: Omission = { path: '', reason: 'unstable', detail: said };
    assert.deepEqual(missingFiles([whole], 'clone'), [said]);
    const ignored: Omission = { path: '', reason: 'ignored', detail: 'and 7 more' };
    assert.deepEqual(missingFiles([...omitted('too-large'), ignored, whole], 'clone'), [
      'The branch lacks what the snapshot does not have: f1 (too large).',
      said,
    ]);
  });

  it('is told in what can be seen', () => {
    const path = `a\u001b[2J\n${'x'.repeat(500)}`;
    const [said] = missingFiles([{ path, reason: 'too-large' }], 'worktree');
    assert.doesNotMatch(said!, /[\u0000-\u001f]/);
    assert.ok(said!.length < 150, said);
  });
});
