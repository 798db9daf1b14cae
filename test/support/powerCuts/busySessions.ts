import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { AhSandbox, collect, outputOf, readRecording } from '../ah.ts';
import { committedRepository, filesInTree, filesOnDisk } from '../git/gitWorkspace.ts';
import type { Random } from '../random.ts';
import { ExpectedSnapshots, type Files, type SnapshotKey } from './expectedSnapshots.ts';
import type { LoggedDisk } from './loggedDisk.ts';

const PRINTING = 'while :; do date +%N; sleep 0.02; done';
const SECRET = 'planted-0123456789';
const SNAPSHOTS_PER_SESSION = 6;

/** What was true when the log of the disk ended. */
export interface BusyResult {
  readonly expected: ExpectedSnapshots;
  /** The output of each recording, by its path. */
  readonly outputs: ReadonlyMap<string, Buffer>;
}

/** The product's data and the workspace, both on the disk. */
export function placesOn(folder: string) {
  return { data: path.join(folder, 'data'), workspace: path.join(folder, 'workspace') };
}

/** Records sessions during every operation that changes stored data, then ends the log. */
export async function keepBusy(
  disk: LoggedDisk,
  random: Random,
  sessionCount: number,
): Promise<BusyResult> {
  const { data, workspace } = placesOn(disk.folder);
  await committedRepository(workspace, { 'first.txt': 'first\n' });
  const busy = new BusySessions(disk, workspace, new AhSandbox(data), random);
  try {
    for (let number = 0; number < sessionCount; number += 1) await busy.session(number);
    return { expected: busy.expected, outputs: busy.outputs };
  } finally {
    await busy.sandbox.dispose();
    await disk.stop();
  }
}

class BusySessions {
  readonly expected: ExpectedSnapshots;
  readonly outputs = new Map<string, Buffer>();
  readonly sandbox: AhSandbox;
  readonly #workspace: string;
  readonly #random: Random;
  #changes = 0;

  constructor(disk: LoggedDisk, workspace: string, sandbox: AhSandbox, random: Random) {
    this.expected = new ExpectedSnapshots(disk);
    this.sandbox = sandbox;
    this.#workspace = workspace;
    this.#random = random;
  }

  async session(number: number): Promise<void> {
    const cmd = ['/bin/sh', '-c', PRINTING];
    const place = { cwd: this.#workspace, workspace: this.#workspace };
    const { id, recording } = await this.sandbox.launch(cmd, place);
    const taken: string[] = [];
    for (let count = 0; count < SNAPSHOTS_PER_SESSION; count += 1) {
      this.#changeFiles();
      taken.push(await this.#takeSnapshot(id));
    }
    const from = ['--session', id, '--snapshot', this.#random.pick(taken)];
    await this.#ah('branch', ...from, '--name', `b${number}`, '--no-launch', '--json');
    await this.#ah('stop', id);
    this.outputs.set(recording, outputOf((await readRecording(recording)).records));
    await this.#ah('fs', 'restore', this.#random.pick(taken), '--session', id, '--yes');
    await this.#changing(() => this.#scrub(id));
    await this.#changing(() =>
      this.#ah('fs', 'prune', '--max-count', String(SNAPSHOTS_PER_SESSION - 1)),
    );
  }

  async #takeSnapshot(session: string): Promise<string> {
    const files = filesOnDisk(this.#workspace);
    const answer = await this.#ah('fs', 'snapshot', '--session', session, '--json');
    const snapshot = String((JSON.parse(answer) as { id: number }).id);
    await this.expected.kept({ session, snapshot }, files);
    return snapshot;
  }

  #changeFiles(): void {
    const random = this.#random;
    const folder = path.join(this.#workspace, `folder${random.below(4)}`);
    mkdirSync(folder, { recursive: true });
    const text = `${this.#changes++} ${'x'.repeat(random.below(20_000))}\n`;
    for (let count = 1 + random.below(5); count > 0; count -= 1)
      writeFileSync(path.join(folder, `file${random.below(8)}`), `${random.below(5)} ${text}`);
    if (random.chance(20)) mkdtempSync(path.join(folder, 'empty-'));
    if (random.chance(20)) writeFileSync(path.join(folder, 'secret'), `${SECRET} ${text}`);
  }

  async #scrub(id: string): Promise<void> {
    const scrub = this.sandbox.start('agent', 'scrub', id);
    scrub.stdin!.end(`${SECRET}\n`);
    const { exitCode, stderr } = await collect(scrub);
    assert.equal(exitCode, 0, stderr);
  }

  #changing(change: () => Promise<unknown>): Promise<void> {
    const run = async () => void (await change());
    return this.expected.during(run, (key) => snapshotFiles(this.sandbox, key));
  }

  async #ah(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.sandbox.run('agent', ...args);
    assert.equal(exitCode, 0, `${args.join(' ')}: ${stderr}`);
    return stdout.toString();
  }
}

/** Files of a snapshot; undefined if the session does not list it. */
export async function snapshotFiles(sandbox: AhSandbox, key: SnapshotKey): Promise<Files> {
  process.env['AH_DATA_DIR'] = sandbox.folder; // Sessions are opened in this process.
  const session = await sandbox.catalogue.find(key.session);
  const files = await SessionFiles.open(session);
  try {
    const id = BigInt(key.snapshot);
    const listed = files.snapshots.find((snapshot) => snapshot.id === id);
    if (listed === undefined || listed.files.state === 'removed') return undefined;
    const found = await filesInTree(await files.tree(id));
    // Leave out `.git`: only snapshots of whole volumes contain it.
    return new Map([...found].filter(([name]) => !name.startsWith('.git/')));
  } finally {
    await files.dispose();
  }
}
