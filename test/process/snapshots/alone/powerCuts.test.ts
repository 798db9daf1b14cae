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
import { countEvents, CutDisk } from '../../../support/powerCuts/cutDisk.ts';
import { LoggedDisk } from '../../../support/powerCuts/loggedDisk.ts';
import { Random } from '../../../support/random.ts';

describe('after a power cut (needs root and /dev/fuse)', function () {
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
  }
});

function writeSynced(file: string, text: string): void {
  const fd = openSync(file, 'w');
  writeSync(fd, text);
  fsyncSync(fd);
  closeSync(fd);
}
