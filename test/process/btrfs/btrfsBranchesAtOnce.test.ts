import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { sessionCommands } from '../../support/sessions/sessionCommands.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';
import { useBtrfsDisk } from '../../support/volumes/btrfsDisk.ts';

describe('branches on Btrfs created at the same moment', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const disk = useBtrfsDisk({ sizeMib: 512 });
  const programs = useTemporaryFolder();
  const usualPath = process.env['PATH'];
  let workspace = '';
  let files: SessionFiles;
  const { ah } = sessionCommands(() => ({
    sandbox: sandbox.current,
    files,
    cwd: disk.current.folder,
  }));

  beforeEach(async () => {
    workspace = disk.current.subvolume('project');
    files = await placeBranchable(sandbox.current, workspace, {
      steps: [() => writeFileSync(path.join(workspace, 'file'), 'content\n')],
    });
    slowDown();
  });
  afterEach(async () => {
    process.env['PATH'] = usualPath;
    await files.dispose();
  });

  /** Every process has looked for a free name before one of them creates a folder there. */
  function slowDown(): void {
    const btrfs = execFileSync('which', ['btrfs'], { encoding: 'utf8' }).trim();
    const text = `#!/bin/sh\n[ "$2" = snapshot ] && sleep 0.4\nexec ${btrfs} "$@"\n`;
    writeFileSync(path.join(programs.path, 'btrfs'), text, { mode: 0o755 });
    process.env['PATH'] = `${programs.path}:${usualPath}`;
  }

  const branchesFolder = () => `${workspace}.branches`;
  const branchNames = () => readdirSync(branchesFolder()).filter((name) => !name.startsWith('.'));
  const claimsLeft = () => {
    const known = readdirSync(path.join(sandbox.current.folder, 'snapshots/btrfs-clones'));
    return known.filter((name) => !name.endsWith('.json'));
  };

  it('all exist, each with its own name', async () => {
    const args = [
      'branch',
      '--snapshot',
      '1',
      '--message',
      'try',
      '--no-launch',
      '--json',
    ] as const;
    const answers = await Promise.all([1, 2, 3].map(() => ah(...args)));
    const failures = answers.filter(({ exitCode }) => exitCode !== 0);
    assert.deepEqual(
      failures.map(({ stderr }) => stderr),
      [],
    );
    const made = answers.map(
      ({ stdout }) => JSON.parse(stdout.toString()) as Record<'name' | 'workspace', string>,
    );
    assert.deepEqual(made.map(({ name }) => name).sort(), ['try', 'try-2', 'try-3']);
    assert.deepEqual(branchNames().sort(), ['try', 'try-2', 'try-3']);
    for (const { workspace: folder } of made) {
      assert.equal(readFileSync(path.join(folder, 'file'), 'utf8'), 'content\n');
      assert.ok(!readdirSync(folder).includes('files'), 'no other one is in it');
    }
    assert.deepEqual(claimsLeft(), []);
    for (const { name } of made) {
      const removed = await ah('branch', 'rm', name, '--yes');
      assert.equal(removed.exitCode, 0, removed.stderr);
    }
  });

  it('yield one branch if all want the same name; the others report that it is taken', async () => {
    const args = ['branch', '--snapshot', '1', '--name', 'same', '--no-launch'] as const;
    const answers = await Promise.all([1, 2, 3].map(() => ah(...args)));
    const said = answers.map(({ stderr }) => stderr).join('');
    assert.deepEqual(answers.map(({ exitCode }) => exitCode).sort(), [0, 1, 1], said);
    for (const { exitCode, stderr } of answers) {
      if (exitCode !== 0)
        assert.match(stderr, /exists already|already exists|There is a branch “same”/);
    }
    assert.equal(readFileSync(path.join(branchesFolder(), 'same/file'), 'utf8'), 'content\n');
    assert.deepEqual(claimsLeft(), []);
  });
});
