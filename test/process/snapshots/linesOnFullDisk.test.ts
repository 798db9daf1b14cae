import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSnapshots, SnapshotsFile } from '../../../src/snapshots/node/list/snapshotsFile.ts';
import type { SnapshotLine } from '../../../src/snapshots/common/snapshotLine.ts';

const PAGE = 4096;

describe('snapshot lines on a full disk', () => {
  let disk = '';

  beforeEach(() => {
    disk = mkdtempSync(path.join(tmpdir(), 'ah-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  });

  afterEach(() => {
    execFileSync('umount', [disk]);
    rmdirSync(disk);
  });

  const line = (id: number): SnapshotLine => ({
    id: BigInt(id),
    tsNs: BigInt(id),
    anchorByte: id,
    kind: 'auto',
    trigger: 'tool',
    // Most lines end within a disk page, so that part of one fits.
    label: 'x'.repeat(1500),
    files: { state: 'failed', reason: 'none' },
  });

  it('are complete or reported as failed, and are written once there is room', async () => {
    const filler = path.join(disk, 'filler');
    const { bsize, bavail } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bsize * bavail - 2 * PAGE));
    const file = await SnapshotsFile.open(disk);
    const failed: number[] = [];
    for (let id = 1; id <= 8; id++) {
      await file.append(line(id)).catch((error: NodeJS.ErrnoException) => {
        assert.equal(error.code, 'ENOSPC');
        failed.push(id);
      });
      const known = (await readSnapshots(disk)).map((each) => Number(each.id));
      const said = [...Array(id).keys()].map((at) => at + 1).filter((at) => !failed.includes(at));
      assert.deepEqual(
        said.filter((at) => !known.includes(at)),
        [],
        'what was said to be there',
      );
    }
    assert.ok(failed.length > 0 && failed.length < 8, String(failed));
    rmSync(filler);
    await file.append(line(9));
    await file.close();
    const ids = (await readSnapshots(disk)).map(({ id }) => Number(id));
    assert.deepEqual(ids.sort(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('are complete after a crash left part of one', async () => {
    const file = await SnapshotsFile.open(disk);
    await file.append(line(1));
    appendFileSync(path.join(disk, 'session.snapshots.jsonl'), '{"id":2,"ts');
    await file.append(line(3));
    await file.close();
    assert.deepEqual(
      (await readSnapshots(disk)).map(({ id }) => id),
      [1n, 3n],
    );
  });
});
