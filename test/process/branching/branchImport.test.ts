import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { NO_OWNER } from '../../../src/branching/common/branchRecord.ts';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { cliFile, collect, processes, until } from '../../support/ah.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { commandOf } from '../../support/processes/processCommand.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const standIn = path.resolve(import.meta.dirname, '../../support/agents/standInOpencode.ts');

/** opencode's program starts another one that imports a session into its own database. */
describe('a branch that is cancelled while its agent imports the session', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let workspace = '';
  let files: SessionFiles;
  const at = (name: string) => path.join(place.path, name);
  const registry = () => new BranchRegistry(path.join(sandbox.current.folder, 'branches'));

  beforeEach(async () => {
    workspace = at('project');
    for (const name of ['project', 'home', 'signs']) mkdirSync(at(name));
    writeFileSync(at('opencode'), `#!/bin/sh\n"${process.execPath}" "${standIn}" "$@"\nexit $?\n`, {
      mode: 0o755,
    });
    await userGit(workspace, 'init', '-q');
    files = await placeBranchable(sandbox.current, workspace, {
      agent: 'opencode',
      cmd: [at('opencode')],
      steps: [() => writeFileSync(path.join(workspace, 'file'), 'content\n')],
    });
  });
  afterEach(() => files.dispose());

  function ah(...args: string[]) {
    const env = {
      ...sandbox.current.env,
      HOME: at('home'),
      STAND_IN: at('signs'),
      AH_SESSION_ID: files.session.meta.id,
    };
    const options = { env, stdio: 'pipe', detached: true } as const;
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], options);
    child.stdin.end();
    return { child, ended: collect(child) };
  }

  /** @param isByKey signals all processes of the terminal, like Ctrl-C */
  async function branchCancelled(isByKey = false) {
    const args = ['--snapshot', '1', '--message', 'Go on.', '--name', 'x', '--no-launch'];
    const { child, ended } = ah('branch', ...args);
    await until(() => existsSync(at('signs/begun')), 'the import to begin');
    process.kill(isByKey ? -child.pid! : child.pid!, 'SIGINT');
    const result = await ended;
    // A process that was left running would import the session now.
    await until(() => !processes().some((pid) => commandOf(pid).includes(standIn)), 'its end');
    return result;
  }

  function sessions(): string[] {
    const database = new DatabaseSync(at('home/.local/share/opencode/opencode.db'));
    try {
      return database
        .prepare('SELECT id FROM session')
        .all()
        .map(({ id }) => String(id));
    } finally {
      database.close();
    }
  }

  for (const [how, isByKey] of [
    ['', false],
    [' by Ctrl-C', true],
  ] as const) {
    it(`leaves nothing in its database, nor anywhere else${how}`, async () => {
      const { exitCode, stderr } = await branchCancelled(isByKey);
      assert.equal(exitCode, 1, stderr);
      assert.match(stderr, /Cancelled: no branch was created/);
      assert.deepEqual(sessions(), []);
      assert.deepEqual(await registry().list(), []);
      assert.ok(!existsSync(`${workspace}.branches`));
    });
  }

  it('is listed when the agent can’t delete the session, and can be removed later', async () => {
    writeFileSync(at('signs/refuses'), '');
    const { exitCode, stderr } = await branchCancelled();
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr, /Cancelled\. Can't remove the incomplete branch: opencode/);
    assert.match(stderr, /couldn't delete the session ses_\w+: .*database is locked/);
    const [session, ...more] = sessions();
    assert.deepEqual(more, []);
    const [left, ...others] = await registry().list();
    assert.deepEqual([others, left?.made?.session], [[], session]);
    // Any process may remove the branch, even while the process that created it still runs, as an
    // editor does.
    assert.equal(left?.owner, NO_OWNER);
    assert.equal(await registry().isLeftover(left), true);
    const losses = await ah('branch', 'rm', 'x', '--dry-run').ended;
    assert.match(losses.stdout.toString(), new RegExp(`opencode session ${session}`));

    rmSync(at('signs/refuses'));
    const removed = await ah('branch', 'rm', 'x', '--yes').ended;
    assert.equal(removed.exitCode, 0, removed.stderr);
    assert.doesNotMatch(removed.stderr, /keeps its session/);
    assert.deepEqual(sessions(), []);
    assert.deepEqual(await registry().list(), []);
    assert.ok(!existsSync(`${workspace}.branches`));
  });
});
