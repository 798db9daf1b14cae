import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lastChange } from '../../../src/branching/node/apply/lastChange.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';

describe('undoing an apply from the branch', function () {
  this.timeout(120_000);
  let workspace = '';
  let branch: readonly string[];
  let files: SessionFiles;
  const { sandbox, place, ah, out } = useSessionCommands(() => files);
  const inOriginal = () => readFileSync(path.join(workspace, 'a'), 'utf8');
  const undo = ['fs', 'restore', '--undo', '--yes'];

  beforeEach(async () => {
    workspace = path.join(place.path, 'prö ject');
    mkdirSync(workspace);
    await userGit(workspace, 'init', '-q');
    const steps = ['1\n', '2\n'].map(
      (text) => () => writeFileSync(path.join(workspace, 'a'), text),
    );
    files = await placeBranchable(sandbox.current, workspace, { steps });
    branch = ['--session', await startBranch('x')];
  });

  /** Starts a branch of the second snapshot and changes its file. @returns its ID */
  async function startBranch(name: string): Promise<string> {
    await out('branch', '--snapshot', '2', '--name', name, '--json');
    await sandbox.current.settled();
    const record = await new BranchRegistry().find(name);
    writeFileSync(path.join(record.workspace, 'a'), `${name}\n`);
    return record.id;
  }

  it('reverts the files of the original, and can be undone itself', async () => {
    await out('branch', 'apply', 'x', '--yes');
    assert.equal(inOriginal(), 'x\n');
    await out(...undo, ...branch);
    assert.equal(inOriginal(), '2\n');
    await out(...undo, ...branch);
    assert.equal(inOriginal(), 'x\n');
  });

  it('undoes the later of the apply and a restore in the branch', async () => {
    const inBranch = path.join(`${workspace}.branches`, 'x', 'a');
    await out('branch', 'apply', 'x', '--yes');
    await out('fs', 'restore', '1', '--yes', ...branch);
    assert.equal(readFileSync(inBranch, 'utf8'), '2\n', 'as the branch began');
    await out(...undo, ...branch);
    assert.equal(readFileSync(inBranch, 'utf8'), 'x\n');
    assert.equal(inOriginal(), 'x\n');
  });

  it('leaves alone what another branch or a restore changed in the original since', async () => {
    await out('branch', 'apply', 'x', '--yes');
    const { catalogue } = sandbox.current;
    const session = await catalogue.get(branch[1]!);
    const { replaced } = await lastChange(session, new BranchRegistry(), catalogue);
    assert.deepEqual(replaced.by, { action: 'apply', name: 'x', branch: branch[1] });
    await out('fs', 'restore', '1', '--yes', '--session', files.session.meta.id);
    const { exitCode, stderr } = await ah(...undo, ...branch);
    assert.equal(exitCode, 1);
    assert.match(stderr, /Nothing to undo/);
    assert.equal(inOriginal(), '1\n');
  });
});
