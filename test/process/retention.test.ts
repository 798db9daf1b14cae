import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { SessionFiles } from '../../src/node/sessions/sessionFiles.ts';
import { writeSessionMeta } from '../../src/node/sessions/sessionMeta.ts';
import { cliFile, collect, outputOf, readRecording, type LaunchedSession } from '../support/ah.ts';
import { userGit } from '../support/gitWorkspace.ts';
import { useSandbox } from '../support/useSandbox.ts';
import { useTemporaryFolder } from '../support/temporaryFolder.ts';

const DAY_NS = 86_400_000_000_000n;

describe('how long recordings and snapshots are kept', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();

  /** A session that ended so many days ago. */
  async function recorded(word: string, daysAgo: bigint): Promise<LaunchedSession> {
    // Long enough for a snapshot before and one after the change.
    const script = `sleep 1; echo ${word} > word.txt; echo ${word}`;
    const session = await sandbox.current.launch(['/bin/sh', '-c', script], {
      ...{ cwd: workspace.path, workspace: workspace.path },
    });
    await sandbox.current.settled(60_000);
    const { meta, folder } = await session.session();
    const endedAtNs = meta.endedAtNs! - daysAgo * DAY_NS;
    await writeSessionMeta(folder, { ...meta, endedAtNs });
    return session;
  }
  async function keptOf(session: LaunchedSession): Promise<number> {
    const files = await SessionFiles.open(await session.session());
    await files.dispose();
    return files.snapshots.filter((each) => each.files.state === 'kept').length;
  }
  async function ah(...args: string[]): Promise<string> {
    // Snapshots go for the workspace that one is in.
    const options = { cwd: workspace.path, env: sandbox.current.env };
    const child = spawn(process.execPath, [cliFile, ...args], options);
    const { exitCode, stdout, stderr } = await collect(child);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
    return stdout.toString();
  }

  it('is decided apart: each goes by its own limits, and the other stays', async () => {
    await userGit(workspace.path, 'init', '-q');
    const old = await recorded('old', 40n);
    const young = await recorded('young', 10n);
    const before = await keptOf(young);
    assert.ok((await keptOf(old)) > 1 && before > 1);

    assert.match(
      await ah('agent', 'prune', '--keep-days', '30', '--dry-run'),
      /echo old > .*\n1 session would go\./,
    );
    assert.ok(existsSync(old.recording), 'nothing went');
    await ah('agent', 'prune', '--keep-days', '30');
    assert.ok(!existsSync(old.folder));
    assert.equal(await keptOf(young), before, 'snapshots are not touched by it');

    await ah('agent', 'fs', 'prune', '--max-age-days', '0.0000001');
    assert.equal(await keptOf(young), 1, 'the newest stays');
    const { records } = await readRecording(young.recording);
    assert.equal(outputOf(records).toString(), 'young\r\n', 'the recording is');
    assert.match(await ah('agent', 'prune', '--keep-days', '30'), /0 sessions removed\./);
  });
});
