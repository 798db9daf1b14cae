import assert from 'node:assert/strict';
import {
  branchKindOf,
  unlinkedRepositories,
} from '../../../../src/branching/common/unlinkedRepositories.ts';

const linked = (path: string) => ({ path, isLinked: true });
const unlinked = (path: string) => ({ path, isLinked: false });

describe('the repositories of a snapshot', () => {
  it('make a branch a worktree if the workspace’s repository can be linked', () => {
    assert.equal(branchKindOf([]), 'clone');
    assert.equal(branchKindOf([linked(''), unlinked('sub')]), 'worktree');
    assert.equal(branchKindOf([unlinked(''), linked('sub')]), 'clone');
    assert.equal(branchKindOf([linked('sub')]), 'clone');
  });

  it('cause a warning if a branch has only their files, without invisible characters', () => {
    assert.deepEqual(unlinkedRepositories([linked(''), linked('sub')]), []);
    const [top, below, ...more] = unlinkedRepositories([
      unlinked(''),
      unlinked(`a\u001b[2J\n${'x'.repeat(500)}`),
      linked('sub'),
    ]);
    assert.deepEqual(more, []);
    assert.match(top!, /^The branch has the files but is not a git working tree: /);
    assert.match(below!, /^a.* has its files in the branch but is not a git working tree there: /);
    assert.doesNotMatch(below!, /[\u0000-\u001f]/);
    assert.ok(below!.length < 300, below);
  });
});
