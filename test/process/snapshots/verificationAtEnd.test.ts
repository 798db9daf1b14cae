import assert from 'node:assert/strict';
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { markInterrupted } from '../../../src/sessions/node/liveness.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { readSnapshots, SNAPSHOTS_FILE } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import { pathFromBytes } from '../../../src/snapshots/common/pathBytes.ts';
import type { SnapshotLine } from '../../../src/snapshots/common/snapshotLine.ts';
import { until, type LaunchedSession } from '../../support/ah.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

/** Longer than a clock tick of a file system; a snapshot itself waits for pending events. */
const SETTLED_MS = 30;

describe('incremental snapshots that are not verified during the session', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const folder = useTemporaryFolder();
  let workspace = '';
  let outside = '';
  let launched: LaunchedSession;
  let client: RecorderClient;
  let turn = 0;

  beforeEach(async () => {
    workspace = path.join(folder.path, 'w');
    outside = path.join(folder.path, 'outside');
    mkdirSync(workspace);
    put('a', 'a');
    put('linked', 'old');
    linkSync(path.join(workspace, 'linked'), outside);
    const place = { cwd: workspace, workspace };
    launched = await sandbox.current.launch(['/bin/sh', '-c', 'read line'], place);
    client = await RecorderClient.connect(launched.hostSocket);
    const isKept = async () => (await readSnapshots(launched.folder))[0]?.files.state === 'kept';
    await until(isKept, 'the start');
  });
  afterEach(() => client.dispose());

  function put(name: string, content: string): void {
    writeFileSync(path.join(workspace, name), content);
  }

  async function take(): Promise<SnapshotLine> {
    return (await client.snapshot({ label: 'taken', kind: 'manual', trigger: 'manual' }))!;
  }

  /**
   * Repeats until the watcher's events are on time; on a busy machine everything may be scanned.
   */
  async function takePartial(change = () => {}): Promise<SnapshotLine> {
    for (;;) {
      change();
      put('a', `${++turn}`);
      await sleep(SETTLED_MS);
      const line = await take();
      if (line.files.state === 'kept' && line.files.isUnverified) return line;
    }
  }

  async function end(): Promise<void> {
    client.input(Buffer.from('\n'));
    await sandbox.current.settled();
  }

  async function omissionsOf({ id }: SnapshotLine): Promise<string[]> {
    const files = await SessionFiles.open(await launched.session());
    const { omissions, isUnverified } = files.kept(id);
    assert.equal(isUnverified, undefined, 'all has been said');
    await files.dispose();
    return omissions.map(({ path: name, reason }) => `${reason} ${name}`);
  }

  it('are verified by the end of the session', async () => {
    const line = await takePartial();
    put('later', 'reported, and in the last one');
    await sleep(SETTLED_MS);
    await end();
    const said = readFileSync(path.join(launched.folder, SNAPSHOTS_FILE), 'utf8')
      .trim()
      .split('\n');
    assert.ok(said.some((each) => each.includes('"unproven":true')));
    assert.deepEqual(await omissionsOf(line), []);
    const after = readFileSync(path.join(launched.folder, SNAPSHOTS_FILE), 'utf8')
      .trim()
      .split('\n');
    assert.equal(after.length, said.length, 'by the recorder itself');
  });

  it('list what the watcher missed, before the end of the session', async () => {
    // A write through another, unwatched name causes no event.
    const line = await takePartial(() => writeFileSync(outside, `new ${turn}`));
    await end();
    assert.deepEqual(await omissionsOf(line), ['unstable linked']);
  });

  it('are marked as unverified after the recorder was killed', async () => {
    const line = await takePartial();
    writeFileSync(outside, 'new');
    await sandbox.current.killRecorders();
    await markInterrupted(sandbox.current.catalogue);
    assert.deepEqual(await omissionsOf(line), ['unstable ']);
    assert.deepEqual(await omissionsOf(line), ['unstable '], 'once');
  });

  it('are not taken if a name is not UTF-8: everything is scanned', async () => {
    await takePartial();
    const name = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
    writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), name]), 'strange');
    await sleep(SETTLED_MS);
    const line = await take();
    assert.equal(line.files.state === 'kept' && line.files.isUnverified, undefined);
    const files = await SessionFiles.open(await launched.session());
    const content = await (await files.tree(line.id)).read(pathFromBytes(name));
    assert.equal(Buffer.from(content).toString(), 'strange');
    await files.dispose();
  });
});
