import assert from 'node:assert/strict';
import {
  kindOfFolder,
  unlinkedRepositories,
} from '../../../../src/branching/common/unlinkedRepositories.ts';

const linked = (path: string) => ({ path, isLinked: true });
const unlinked = (path: string) => ({ path, isLinked: false });

describe('the repositories of a snapshot', () => {
  it('make a branch a working tree when that of the workspace can be linked to', () => {
    assert.equal(kindOfFolder([]), 'clone');
    assert.equal(kindOfFolder([linked(''), unlinked('sub')]), 'worktree');
    assert.equal(kindOfFolder([unlinked(''), linked('sub')]), 'clone');
    assert.equal(kindOfFolder([linked('sub')]), 'clone');
  });

  it('are told of when a branch has their files alone, in what can be seen', () => {
    assert.deepEqual(unlinkedRepositories([linked(''), linked('sub')]), []);
    const [top, below, ...more] = unlinkedRepositories([
      ...[unlinked(''), unlinked(`a\u001b[2J\n${'x'.repeat(500)}`), linked('sub')],
    ]);
    assert.deepEqual(more, []);
    assert.match(top!, /^The branch has the files, but is no git working tree: /);
    assert.match(below!, /^a.* has its files in the branch, but is no git working tree there: /);
    assert.doesNotMatch(below!, /[\u0000-\u001f]/);
    assert.ok(below!.length < 300, below);
  });
});
