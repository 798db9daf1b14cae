import assert from 'node:assert/strict';
import type { AhrRecord, DataRecord } from '../../../../src/recording/format/records.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import type { TerminalSize } from '../../../../src/base/terminalSize.ts';
import { playRecord } from '../../../../src/terminal/keyframes/playRecord.ts';
import { PTY_FIXTURES, readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { Random } from '../../../support/random.ts';
import { chance, terminalNoise } from '../../../support/terminal/terminalNoise.ts';
import {
  assertSameScreen,
  assertSameState,
  lossesOf,
} from '../../../support/terminal/terminalState.ts';
import { isSoak } from '../../../support/soak.ts';

/** Restores at `cut`, plays the rest in both terminals and compares them. @returns whether a cut was possible */
function checkCut(
  size: TerminalSize,
  records: readonly AhrRecord[],
  cut: number,
  compareAt: ReadonlySet<number>,
  where: string,
): boolean {
  const played = new TerminalModel({ size });
  for (const record of records.slice(0, cut)) playRecord(played, record);
  const state = played.captureState();
  assert.equal(state !== undefined, played.canCut(), where);
  if (!state) return false;
  const restored = TerminalModel.restore(state);
  assertSameState(restored, played, `${where}, at the cut`);
  assert.deepEqual(restored.serializeState(), played.serializeState(), `${where}, as a stream`);
  for (let index = cut; index < records.length; index++) {
    playRecord(played, records[index]!);
    playRecord(restored, records[index]!);
    if (compareAt.has(index)) assertSameState(restored, played, `${where}, after record ${index}`);
  }
  assertSameState(restored, played, `${where}, at the end`);
  played.dispose();
  restored.dispose();
  return true;
}

describe('a restored terminal', () => {
  it('continues like the original, with random output split anywhere', function () {
    this.timeout(600_000);
    const seeds = isSoak ? 20_000 : 400;
    const first = Number(process.env['AH_SEED'] ?? 1);
    let possible = 0;
    for (let seed = first; seed < first + seeds; seed++) {
      const random = new Random(seed);
      const size = { cols: 2 + random.below(24), rows: 1 + random.below(10) };
      const records = terminalNoise(random, { size, records: 40, resizes: seed % 2 === 0 ? 6 : 0 });
      const cut = random.below(records.length);
      const compareAt = new Set([cut, cut + 1, cut + 2, cut + 5, cut + 10]);
      if (checkCut(size, records, cut, compareAt, `seed ${seed}, cut ${cut}`)) possible++;
    }
    assert.ok(possible > seeds / 4, `${possible} of ${seeds} cuts were possible`);
  });

  it('can be attached to in the middle of anything', function () {
    this.timeout(600_000);
    const seeds = isSoak ? 20_000 : 400;
    let joined = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const random = new Random(seed);
      const size = { cols: 2 + random.below(24), rows: 2 + random.below(10) };
      const records = terminalNoise(random, { size, records: 20, resizes: 0 });
      const cut = random.below(records.length);
      const host = new TerminalModel({ size });
      for (const record of records.slice(0, cut)) playRecord(host, record);
      // Clients don't get state that a stream can't express; unfinished sequences they do get.
      if (lossesOf(host).size > 0) continue;
      joined++;
      const client = new TerminalModel({ size });
      client.write(host.serializeState(), 0);
      for (const record of records.slice(cut)) {
        playRecord(host, record);
        playRecord(client, record);
        assertSameScreen(client, host, `seed ${seed}, joined at record ${cut}`);
      }
    }
    assert.ok(joined > seeds / 2, `${joined} of ${seeds}`);
  });

  for (const name of PTY_FIXTURES) {
    it(`continues like the original: ${name}`, function () {
      this.timeout(3_600_000);
      const random = new Random(7);
      const { size, records } = readPtyFixture(name);
      const pieces = cutAnywhere(random, records, isSoak ? 12_000 : 900);
      const percent = Math.min(100, (isSoak ? 600_000 : 45_000) / pieces.length);
      const played = new TerminalModel({ size });
      const followers: TerminalModel[] = [];
      let cuts = 0;
      pieces.forEach((record, index) => {
        playRecord(played, record);
        for (const follower of followers) playRecord(follower, record);
        // Each restored terminal is compared with the original some records after its cut.
        if (followers.length > 8) {
          const follower = followers.shift()!;
          assertSameState(follower, played, `${name}, after record ${index}`);
          follower.dispose();
        }
        if (!chance(random, percent)) return;
        const state = played.captureState();
        if (!state) return;
        cuts++;
        const restored = TerminalModel.restore(state);
        assertSameState(restored, played, `${name}, cut at record ${index}`);
        followers.push(restored);
      });
      for (const follower of followers) assertSameState(follower, played, `${name}, at the end`);
      assert.ok(cuts >= (isSoak ? 2000 : 200), `${cuts} cuts`);
    });
  }
});

/** The same output in about this many records: those of the pty, split at random places. */
function cutAnywhere(random: Random, records: readonly DataRecord[], count: number): DataRecord[] {
  const last = records.at(-1)!;
  const average = Math.ceil((last.startByteOffset + last.bytes.length) / count);
  return records.flatMap((record) => {
    const pieces: DataRecord[] = [];
    for (let start = 0; start < record.bytes.length;) {
      const end = Math.min(record.bytes.length, start + 1 + random.below(2 * average));
      const startByteOffset = record.startByteOffset + start;
      pieces.push({ ...record, startByteOffset, bytes: record.bytes.subarray(start, end) });
      start = end;
    }
    return pieces;
  });
}
