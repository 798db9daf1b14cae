import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { SessionFiles } from '../../../src/sessions/node/sessionFiles.ts';
import { placeBranchable } from '../../support/branchableSession.ts';
import { filesOnDisk, userGit } from '../../support/gitWorkspace.ts';
import { sessionCommands } from '../../support/sessionCommands.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

/** The agent's memory is put where a person works, and goes with the branch. */
describe('a branch in place, with the memory of an agent', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let workspace = '';
  let files: SessionFiles;
  const { ah, out } = sessionCommands(() => ({
    ...{ sandbox: sandbox.current, files, cwd: place.path, home: path.join(place.path, 'home') },
  }));

  beforeEach(async () => {
    workspace = path.join(place.path, 'prö ject');
    mkdirSync(workspace);
    mkdirSync(path.join(place.path, 'home'));
    await userGit(workspace, 'init', '-q');
    const steps = [() => writeFileSync(path.join(workspace, 'a'), '1\n')];
    const cmd = [process.execPath];
    files = await placeBranchable(sandbox.current, workspace, { agent: 'claudeCode', cmd, steps });
  });
  afterEach(() => files.dispose());

  const inPlace = (name: string) =>
    out('branch', '--snapshot', '1', '--in-place', '--name', name, '--no-launch', '--json');
  const restored = () => readdirSync(path.join(workspace, '.ah/restore'));

  it('leaves nothing of it when it is discarded, and all of another’s', async () => {
    const before = filesOnDisk(workspace);
    await inPlace('one');
    const ofOne = restored();
    await inPlace('two');
    assert.deepEqual([ofOne.length, restored().length], [1, 2]);
    await out('branch', 'rm', 'one', '--yes');
    assert.equal(restored().length, 1);
    assert.ok(!restored().includes(ofOne[0]!));
    await out('branch', 'rm', 'two', '--yes');
    assert.ok(!existsSync(path.join(workspace, '.ah')));
    assert.deepEqual(filesOnDisk(workspace), before);
  });

  it('leaves what somebody else put beside it, and what a link leads to', async () => {
    const own = path.join(workspace, '.ah');
    await inPlace('one');
    writeFileSync(path.join(own, 'mine'), 'mine\n');
    await out('branch', 'rm', 'one', '--yes');
    assert.deepEqual(readdirSync(own).sort(), ['.gitignore', 'mine']);
    await inPlace('two');
    const moved = path.join(place.path, 'moved');
    renameSync(path.join(own, 'restore'), moved);
    symlinkSync(moved, path.join(own, 'restore'));
    await out('branch', 'rm', 'two', '--yes');
    assert.equal(readdirSync(moved).length, 1);
  });

  it('says beforehand that HEAD and index stay as they are', async () => {
    const args = ['branch', '--snapshot', '1', '--in-place', '--dry-run'];
    assert.match(
      (await ah(...args)).stderr,
      /in the original folder.*HEAD and index stay as they are/,
    );
  });
});
