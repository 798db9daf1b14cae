import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MARK_RESUME } from '../../../src/recording/format/format.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { readSnapshots } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import { outputOf, readRecording, until, type LaunchedSession } from '../../support/ah.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { placesOf } from '../../support/recording/secretPlaces.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const SECRET = 'hunter2-the-secret';
/** 300 ms: as long as the recorder collects commands and git operations. */
const TIMER_MINUTES = 0.005;
/** Without the pause, the snapshot would have been taken by then. */
const TRIGGERED_MS = 1500;
/** Runs each line of input and announces its start and end, as a shell does. */
const SHELL = String.raw`while read -r line; do
  printf '\033]633;E;%s\007\033]633;C\007' "$line"; eval "$line"; printf '\033]633;D;0\007'
done`;

describe('pausing and resuming a recording', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const workspace = useTemporaryFolder();
  let session: LaunchedSession;
  let client: RecorderClient;
  afterEach(() => client.dispose());

  async function start(script: string, options = {}): Promise<void> {
    const command = ['/bin/bash', '-c', script];
    session = await sandbox.current.launch(command, { cwd: workspace.path, ...options });
    client = await RecorderClient.connect(session.hostSocket);
  }

  it('makes the program draw its screen again, at its old size', async () => {
    await start(`trap 'echo redrawn $(stty size)' WINCH; echo ready; while :; do sleep 0.02; done`);
    const outputAfter = async (code?: number) => {
      const { records } = await readRecording(session.recording);
      const from = records.findIndex((record) => record.kind === 'mark' && record.code === code);
      return outputOf(code === undefined ? records : records.slice(from)).toString();
    };
    await until(async () => (await outputAfter()).includes('ready'), 'the program');
    const { cols, rows } = await client.status();
    await client.setPaused(true);
    await client.setPaused(false);
    const redrawn = `redrawn ${rows} ${cols}`;
    await until(async () => (await outputAfter(MARK_RESUME)).includes(redrawn), redrawn);
    const { cols: colsAfter, rows: rowsAfter } = await client.status();
    assert.deepEqual([colsAfter, rowsAfter], [cols, rows]);
    await client.stop();
    await sandbox.current.settled();
  });

  /** For each trigger of a snapshot, a function that changes a file and causes the trigger. */
  const causes: Record<string, (text: string) => Promise<void> | void> = {
    timer: (text) => writeFileSync(madeFile(), text),
    git: async (text) => {
      writeFileSync(madeFile(), text);
      await userGit(workspace.path, 'commit', '-q', '--allow-empty', '-m', 'next');
    },
    command: (text) => client.input(Buffer.from(`echo ${text} > made.txt\r`)),
  };
  const madeFile = () => path.join(workspace.path, 'made.txt');

  for (const [trigger, cause] of Object.entries(causes)) {
    it(`takes no snapshot by ${trigger} in between`, async () => {
      await userGit(workspace.path, 'init', '-q');
      const snapshotMinutes = trigger === 'timer' ? TIMER_MINUTES : 0;
      await start(SHELL, { workspace: workspace.path, snapshotMinutes });
      const taken = async (): Promise<string[]> => {
        const snapshots = await readSnapshots(session.folder);
        return snapshots.flatMap((each) => (each.files.state === 'kept' ? [each.trigger] : []));
      };
      await until(async () => (await taken()).includes('start'), 'the first snapshot');
      await client.setPaused(true);
      await cause(SECRET);
      await until(() => existsSync(madeFile()), 'the file');
      await sleep(TRIGGERED_MS);
      rmSync(madeFile());
      assert.deepEqual(await taken(), ['start']);
      await client.setPaused(false);
      await cause('public');
      await until(async () => (await taken()).includes(trigger), 'a snapshot after the pause');
      await client.stop();
      await sandbox.current.settled();
      assert.deepEqual(await placesOf([sandbox.current.folder], SECRET), []);
    });
  }
});
