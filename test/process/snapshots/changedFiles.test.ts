import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { countChangedFiles } from '../../../src/snapshots/node/list/changedFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';

const { signal } = new AbortController();

describe('the files that a session changed', () => {
  const sandbox = useSandbox();

  it('differ between its first and its last snapshot, whatever happened in between', async () => {
    const workspace = path.join(sandbox.current.folder, 'work');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    const write = (name: string, text: string) => writeFileSync(path.join(workspace, name), text);
    const files = await placeBranchable(sandbox.current, workspace, {
      steps: [
        () => ['same', 'edited', 'gone'].forEach((name) => write(name, 'before')),
        () => ['same', 'edited', 'brief'].forEach((name) => write(name, 'between')),
        () => {
          write('same', 'before');
          write('new', 'after');
          for (const name of ['gone', 'brief']) rmSync(path.join(workspace, name));
        },
      ],
    });
    const { session } = files;
    const counted = await countChangedFiles(session, signal);
    assert.deepEqual(counted, { first: '1', last: '3', count: 3 });
    await files.dispose();
    const known = { first: '1', last: '3', count: 7 };
    assert.equal(await countChangedFiles(session, signal, known), known, 'is not counted again');
    const none = { ...session, folder: workspace };
    assert.equal(await countChangedFiles(none, signal), undefined, 'without snapshots');
  });
});
