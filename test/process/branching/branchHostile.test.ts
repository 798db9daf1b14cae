import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { committedRepository, userGit } from '../../support/git/gitWorkspace.ts';
import { useSessionCommands } from '../../support/sessions/useSessionCommands.ts';

const HOOKS = ['pre-merge-commit', 'post-merge', 'post-checkout', 'post-index-change'];
const MORE_HOOKS = ['prepare-commit-msg', 'commit-msg', 'post-commit', 'reference-transaction'];

/** An agent can write to the configuration of the repository in which it works. */
describe('programs that a repository names', function () {
  this.timeout(60_000);
  let workspace = '';
  let files: SessionFiles;
  const { sandbox, place, ah, out } = useSessionCommands(() => files);
  const marks = () => path.join(place.path, 'marks');
  const ran = () => (existsSync(marks()) ? readFileSync(marks(), 'utf8') : '');
  const inBranch = (name = '') => path.join(`${workspace}.branches/x`, name);

  beforeEach(async () => {
    workspace = path.join(place.path, 'project');
    await committedRepository(workspace, { 'a.txt': '1\n', 'b.txt': '1\n' });
    await takeOver();
    files = await placeBranchable(sandbox.current, workspace, {
      steps: [() => writeFileSync(path.join(workspace, 'a.txt'), '2\n')],
    });
  });

  /** Sets all settings that are known to make git run a program. */
  async function takeOver(): Promise<void> {
    const marking = (what: string) => `sh -c 'echo ${what} >> "${marks()}"' #`;
    const filtering = (what: string) => `echo ${what} >> "${marks()}"; cat`;
    writeFileSync(path.join(workspace, '.gitattributes'), '* filter=evil diff=evil merge=evil\n');
    for (const [name, value] of Object.entries({
      'filter.evil.clean': filtering('clean'),
      'filter.evil.smudge': filtering('smudge'),
      'diff.evil.command': marking('diff'),
      'diff.evil.textconv': marking('textconv'),
      'merge.evil.driver': marking('driver'),
      'core.fsmonitor': marking('fsmonitor'),
      'core.pager': marking('pager'),
      'core.editor': marking('editor'),
      'diff.external': marking('external'),
      'gpg.program': marking('gpg'),
      'commit.gpgSign': 'true',
      'log.showSignature': 'true',
    }))
      await userGit(workspace, 'config', name, value);
    const hooks = path.join(workspace, '.git/hooks');
    mkdirSync(hooks, { recursive: true });
    for (const hook of [...HOOKS, ...MORE_HOOKS]) {
      writeFileSync(path.join(hooks, hook), `#!/bin/sh\necho ${hook} >> '${marks()}'\n`);
      chmodSync(path.join(hooks, hook), 0o755);
    }
  }

  it('are not run when a branch is made, compared, applied and discarded', async () => {
    await out('branch', '--snapshot', '1', '--name', 'x', '--no-launch', '--json');
    writeFileSync(inBranch('a.txt'), '3\n');
    await out('fs', 'diff', '1', '--patch');
    await out('branches');
    await out('branch', 'apply', 'x', '--dry-run');
    await out('branch', 'apply', 'x', '--yes');
    await out('branch', 'discard', 'x', '--yes');
    assert.equal(ran(), '');
    assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), '3\n');
  });

  it('keep a merge from starting, with a sentence', async () => {
    await out('branch', '--snapshot', '1', '--name', 'x', '--no-launch', '--json');
    await userGit(
      inBranch(),
      ...['core.fsmonitor=false', 'commit.gpgSign=false', 'core.editor=true'].flatMap((setting) => [
        '-c',
        setting,
      ]),
      ...['commit', '-qam', 'in the branch'],
    );
    writeFileSync(marks(), '');
    const { exitCode, stderr } = await ah('branch', 'apply', 'x', '--merge', '--yes');
    assert.equal(exitCode, 1);
    assert.match(stderr, /filter\.evil\.clean/);
    assert.equal(ran(), '');
  });
});
