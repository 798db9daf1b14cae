import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { AhSandbox, outputOf, readRecording } from '../../../support/ah.ts';
import { filesOnDisk } from '../../../support/git/gitWorkspace.ts';
import {
  keepBusy,
  placesOn,
  snapshotFiles,
  type BusyResult,
} from '../../../support/powerCuts/busySessions.ts';
import { countEvents, CutDisk } from '../../../support/powerCuts/cutDisk.ts';
import { LoggedDisk } from '../../../support/powerCuts/loggedDisk.ts';
import { Random } from '../../../support/random.ts';
import { isSoak } from '../../../support/soak.ts';

const CUTS = isSoak ? 100 : 5;
const SESSIONS = isSoak ? 12 : 1;
const DISK_MIB = 1024;

describe('after a power cut (needs root and /dev/fuse)', function () {
  this.timeout(isSoak ? 1_800_000 : 60_000);

  before(function () {
    if (process.getuid?.() !== 0 || !existsSync('/dev/fuse')) this.skip();
  });

  for (const fileSystem of ['ext4', 'btrfs'] as const) {
    it(`the tests' disk on ${fileSystem} keeps what was synced, and loses the rest`, async () => {
      const random = new Random(1);
      const disk = await LoggedDisk.create(fileSystem, 256);
      const at = (name: string) => path.join(disk.folder, name);
      try {
        for (let number = 0; number < 8; number += 1) {
          writeFileSync(at(`unsynced${number}`), 'x'.repeat(9_000));
          writeSynced(at(`synced${number}`), 'x'.repeat(9_000));
          await disk.mark(String(number));
        }
        await disk.stop();
        const events = countEvents(disk.log);
        let lost = 0;
        for (let cut = 1; cut <= 8; cut += 1) {
          const after = new CutDisk(disk, Math.ceil((events * cut) / 8), random);
          const size = (name: string) =>
            existsSync(at(name)) ? readFileSync(at(name), 'utf8').replaceAll('\0', '').length : 0;
          try {
            for (const mark of after.marks)
              assert.equal(size(`synced${mark}`), 9_000, `cut ${cut}`);
            for (let number = 0; number < 8; number += 1)
              if (size(`unsynced${number}`) < 9_000) lost += 1;
          } finally {
            after.dispose();
          }
        }
        assert.ok(lost > 0);
      } finally {
        await disk.delete();
      }
    });

    it(`everything that was answered on ${fileSystem} is there`, async () => {
      const seed = Number(process.env['AH_SEED'] ?? Date.now() % 2 ** 31);
      const random = new Random(seed);
      const disk = await LoggedDisk.create(fileSystem, DISK_MIB);
      try {
        const busy = await keepBusy(disk, random, SESSIONS);
        const events = countEvents(disk.log);
        for (let cut = 0; cut < CUTS; cut += 1) {
          const at = 1 + random.below(events);
          const after = new CutDisk(disk, at, random);
          const where = `AH_SEED=${seed}, cut ${cut} at event ${at} of ${events}`;
          try {
            await assertSound(after, busy);
          } catch (error) {
            throw new Error(`${where}: ${String(error)}`, { cause: error });
          } finally {
            after.dispose();
          }
        }
      } finally {
        await disk.delete();
      }
    });
  }
});

function writeSynced(file: string, text: string): void {
  const fd = openSync(file, 'w');
  writeSync(fd, text);
  fsyncSync(fd);
  closeSync(fd);
}

async function assertSound({ folder, marks }: CutDisk, busy: BusyResult): Promise<void> {
  const { data, workspace } = placesOn(folder);
  const sandbox = new AhSandbox(data);
  if (!existsSync(workspace)) return; // The cut came before anything was written.
  try {
    for (const command of [['sessions'], ['branches'], ['fs', 'prune', '--dry-run']]) {
      const { exitCode, stderr } = await sandbox.run('agent', ...command);
      assert.equal(exitCode, 0, `${command.join(' ')}: ${stderr}`);
    }
    for (const { meta } of await sandbox.catalogue.list()) {
      const read = outputOf((await readRecording(meta.recording)).records);
      const written = busy.outputs.get(meta.recording);
      assert.ok(
        written?.subarray(0, read.length).equals(read),
        `${meta.recording} is not as written`,
      );
    }
    for (const { either, ...key } of busy.expected.after(marks)) {
      const found = await snapshotFiles(sandbox, key);
      assert.ok(
        either.some((files) => isSame(files, found)),
        `snapshot ${key.snapshot} of ${key.session} after ${marks.length} answers`,
      );
    }
    await assertKeepsAgain(sandbox, workspace);
  } finally {
    await sandbox.dispose();
  }
}

/** A store that lost objects must store them again. */
async function assertKeepsAgain(sandbox: AhSandbox, workspace: string): Promise<void> {
  const place = { cwd: workspace, workspace };
  const { id } = await sandbox.launch(['/bin/sh', '-c', 'sleep 60'], place);
  const taken = await sandbox.run('agent', 'fs', 'snapshot', '--session', id, '--json');
  assert.equal(taken.exitCode, 0, taken.stderr);
  const snapshot = String((JSON.parse(taken.stdout.toString()) as { id: number }).id);
  const found = await snapshotFiles(sandbox, { session: id, snapshot });
  assert.deepEqual(found, filesOnDisk(workspace));
}

function isSame(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
