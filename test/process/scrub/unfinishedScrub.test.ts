import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { nodeProcesses } from '../../../src/platform/node/processes/processes.ts';
import {
  removeJournal,
  writeJournal,
  type ScrubJournal,
} from '../../../src/scrub/node/journal/scrubJournal.ts';
import { DeletedSessions } from '../../../src/sessions/node/deletedSessions.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { expiredSessions } from '../../../src/sessions/node/sessionRetention.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const DEAD = '1-00000000-1';

describe('a session with an unfinished scrub', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();

  async function launch(...cmd: string[]) {
    await userGit(workspace.path, 'init', '-q');
    const place = { cwd: workspace.path, workspace: workspace.path };
    return sandbox.current.launch(cmd, place);
  }

  function journalOf(sessionId: string, owner: string): ScrubJournal {
    const place = { workspace: workspace.path, files: [], changes: [], problems: [] };
    return { version: 1, sessionId, owner, isPrepared: true, ...place };
  }

  const ah = (...args: string[]) => sandbox.current.run('agent', ...args);

  it('says so, and is not exported, branched, pruned or deleted', async () => {
    const session = await launch('/bin/echo', 'hello');
    await sandbox.current.settled();
    const { catalogue } = sandbox.current;
    await writeJournal(catalogue, journalOf(session.id, nodeProcesses.own));
    const listed = await ah('sessions');
    assert.match(listed.stdout.toString(), /scrub unfinished/);
    const [shown] = JSON.parse((await ah('sessions', '--json')).stdout.toString()) as unknown[];
    assert.equal((shown as { scrubUnfinished?: boolean }).scrubUnfinished, true);
    const refusal = `The scrub of session ${session.id} is unfinished. To finish it: ah agent sessions\n`;
    const exported = path.join(sandbox.current.folder, 'exported');
    const commands = [
      ['transcript', '--session', session.id],
      ['branch-points', '--session', session.recording],
      ['fs', 'export', '--session', session.id, '1', exported],
      ['branch', '--session', session.id, '--snapshot', '1', '--no-launch'],
    ];
    for (const command of commands) {
      const { exitCode, stdout, stderr } = await ah(...command);
      assert.deepEqual([exitCode, stdout.toString(), stderr], [1, '', `ah: ${refusal}`]);
    }
    const pruned = await ah('fs', 'prune');
    assert.equal(pruned.stderr, `ah: Can't prune the snapshots of ${workspace.path}: ${refusal}`);
    const catalogued = await session.session();
    const refused = { code: 'scrub-unfinished' };
    await assert.rejects(new DeletedSessions(catalogue).add(catalogued), refused);
    const later = BigInt(Date.now()) * 2_000_000n;
    const expired = () => expiredSessions(catalogue, 1, later, new BranchRegistry());
    assert.deepEqual(await expired(), []);

    await removeJournal(catalogue, session.id);
    for (const command of commands.slice(0, 3)) assert.equal((await ah(...command)).exitCode, 0);
    assert.equal((await expired()).length, 1);
    assert.doesNotMatch((await ah('sessions')).stdout.toString(), /scrub unfinished/);
  });

  it('is finished only when no session runs in the same folder', async () => {
    const session = await launch('/bin/echo', 'hello');
    await sandbox.current.settled();
    const running = await launch('/bin/cat');
    const { catalogue } = sandbox.current;
    const cache = path.join(session.folder, 'session.keyframes');
    writeFileSync(cache, 'cached');
    const changes = [{ kind: 'delete', file: cache }] as const;
    await writeJournal(catalogue, { ...journalOf(session.id, DEAD), changes });
    const waiting = await ah('sessions');
    const unfinished = `ah: The scrub of session ${session.id} is unfinished; it continues when session ${running.id} has ended.\n`;
    assert.equal(waiting.stderr, unfinished);
    assert.match(waiting.stdout.toString(), /scrub unfinished/);
    assert.ok(existsSync(cache));
    const client = await RecorderClient.connect(running.hostSocket);
    await client.stop();
    client.dispose();
    await sandbox.current.settled();
    const { stderr } = await ah('sessions');
    assert.equal(stderr, `ah: Finished the interrupted scrub of session ${session.id}.\n`);
    assert.ok(!existsSync(cache));
  });
});
