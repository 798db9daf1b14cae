import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { defaultPlace } from '../../../../src/branching/node/branchPlace.ts';
import { userGit } from '../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the default folder of a branch', () => {
  const folder = useTemporaryFolder();

  it('is beside the project, but not inside of another repository', async () => {
    const project = path.join(folder.path, 'project');
    mkdirSync(project);
    assert.equal(defaultPlace(project, 'x'), `${project}.branches/x`);
    await userGit(folder.path, 'init', '-q');
    assert.ok(!defaultPlace(project, 'x').startsWith(folder.path));
  });
});
