import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliFile, collect, until } from '../../support/ah.ts';
import { filesOnDisk, userGit } from '../../support/git/gitWorkspace.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { untilFile, untilKept } from '../../support/processes/shellScripts.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

/**
 * The rows of the table “What comes back” in README.md: a command of a recorded shell, or of
 * another process.
 */
const ROWS: Readonly<Record<string, { readonly inSession?: string; readonly outside?: string }>> = {
  'an edit by a heredoc': { inSession: "cat > a.txt <<'END'\nfrom a heredoc\nEND" },
  'a move by mv': { inSession: 'mv a.txt moved.txt' },
  'a deletion by rm': { inSession: 'rm -r a.txt folder' },
  'an npm install': {
    inSession: 'npm install --offline --no-audit --no-fund --install-links --silent ../package',
  },
  'a change by another process': { outside: 'echo other > b.txt; rm a.txt' },
};

/**
 * Each change happens in a recorded bash; the snapshots are those that the recorder takes by
 * itself.
 */
describe('what comes back', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let workspace = '';

  beforeEach(async () => {
    process.env['AH_DATA_DIR'] = sandbox.current.folder;
    workspace = path.join(place.path, 'project');
    for (const folder of ['project/folder', 'package'])
      mkdirSync(path.join(place.path, folder), { recursive: true });
    writeFileSync(path.join(place.path, 'package/package.json'), '{"name":"p","version":"1.0.0"}');
    for (const [name, text] of [
      ['a.txt', 'as it was\n'],
      ['folder/untracked.txt', 'never committed\n'],
      ['package.json', '{}\n'],
      ['.gitignore', 'node_modules\n'],
    ] as const)
      writeFileSync(path.join(workspace, name), text);
    await userGit(workspace, 'init', '-q');
    await userGit(workspace, 'config', 'ah.keepIgnored', 'node_modules');
    await userGit(workspace, 'add', 'a.txt', 'package.json', '.gitignore');
    await userGit(workspace, 'commit', '-qm', 'one');
  });

  for (const [change, { inSession = ':', outside }] of Object.entries(ROWS)) {
    it(change, async () => {
      const before = filesOnDisk(workspace);
      const ready = path.join(place.path, 'ready');
      const done = path.join(place.path, 'done');
      // bash with shell integration marks the start (C) and the end (D) of each command.
      const script = [
        untilKept('start'),
        `touch '${ready}'`,
        ...(outside === undefined ? [] : [untilFile(done)]),
        String.raw`printf '\033]633;E;change\007\033]633;C\007'`,
        inSession,
        String.raw`printf '\033]633;D;0\007'`,
        untilKept('command'),
      ].join('\n');
      const recorded = ah('record', '--', '/bin/bash', '-c', script);
      if (outside !== undefined) {
        await until(() => filesOnDisk(place.path).has('ready'), 'the first snapshot');
        await collect(spawn('/bin/sh', ['-c', outside], { cwd: workspace, stdio: 'pipe' }));
        writeFileSync(done, '');
      }
      assert.equal((await recorded).exitCode, 0);
      await sandbox.current.settled();
      const after = filesOnDisk(workspace);
      assert.notDeepEqual(after, before);

      // Delete the files, so that branches can take them only from the snapshots.
      for (const name of ['a.txt', 'moved.txt', 'b.txt', 'folder', 'node_modules'])
        rmSync(path.join(workspace, name), { recursive: true, force: true });
      const [session] = await sandbox.current.catalogue.list();
      assert.ok(session);
      const files = await SessionFiles.open(session);
      const idOf = (wanted: string) =>
        files.snapshots.find(({ trigger }) => trigger === wanted)?.id.toString() ?? wanted;
      const ids = { before: idOf('start'), after: idOf('command') };
      await files.dispose();
      const branched = async (id: string) => {
        const folder = path.join(place.path, `branch ${id}`);
        const from = ['--session', session.meta.id, '--snapshot', id, '--dest', folder];
        const { exitCode, stderr } = await ah('branch', ...from, '--no-carry', '--no-launch');
        assert.equal(exitCode, 0, stderr);
        return filesOnDisk(folder, (name) => name.startsWith('.ah/') || name === '.ah');
      };
      assert.deepEqual(await branched(ids.before), before, 'the files before the change');
      assert.deepEqual(await branched(ids.after), after, 'the files after the change');
    });
  }

  function ah(...args: string[]) {
    const env = { ...sandbox.current.env, AH_SNAPSHOTS: '1' };
    const options = { env, cwd: workspace, stdio: 'pipe' } as const;
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], options);
    child.stdin.end();
    return collect(child);
  }
});
