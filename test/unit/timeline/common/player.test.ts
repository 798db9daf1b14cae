import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { Player, SPEEDS } from '../../../../src/timeline/common/player.ts';
import type { PlaybackSource } from '../../../../src/timeline/common/playback.ts';
import { Schedule } from '../../../../src/timeline/common/schedule.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock, settle } from '../../../support/fakeClock.ts';
import { framesOf, ModelScreen } from '../../../support/modelScreen.ts';

const SIZE = { cols: 40, rows: 5 };
const encoder = new TextEncoder();

/** Lines with the second at which each was printed. */
function session(...lines: [seconds: number, text: string][]): AhrRecord[] {
  let startByteOffset = 0;
  return lines.map(([seconds, text]) => {
    const bytes = encoder.encode(text);
    const tsNs = 1_000_000_000_000n + BigInt(seconds * 1000) * 1_000_000n;
    const record: AhrRecord = { kind: 'data', tsNs, startByteOffset, bytes };
    startByteOffset += bytes.length;
    return record;
  });
}

const RECORDS = session([0, 'zero '], [1, 'one '], [2, 'two '], [62, 'late '], [63, 'end']);

class World {
  readonly clock = new FakeClock();
  readonly screen = new ModelScreen(SIZE);
  readonly errors: unknown[] = [];
  readonly player: Player;

  private constructor(source: PlaybackSource) {
    this.player = new Player({
      ...{ source, screen: this.screen, clock: this.clock },
      onError: (error) => this.errors.push(error),
    });
  }

  static async of(
    records: AhrRecord[],
    isLive = false,
    wrap = (source: PlaybackSource): PlaybackSource => source,
  ): Promise<World> {
    const { frames, index } = await framesOf(records, SIZE);
    const world = new World(wrap(frames));
    const { endMs, totalBytes } = index;
    world.player.setExtent({ endMs, totalBytes, isLive });
    world.player.setSchedule(Schedule.plain(endMs));
    return world;
  }
}

describe('Player', () => {
  it('shows each output when its time has come', async () => {
    const { player, clock, screen } = await World.of(RECORDS);
    player.play();
    await clock.advance(500);
    assert.equal(screen.text, 'zero');
    await clock.advance(1000);
    assert.equal(screen.text, 'zero one');
    assert.ok(Math.abs(player.positionMs - 1500) < 20);
    player.pause();
    await clock.advance(10_000);
    assert.equal(screen.text, 'zero one');
    assert.ok(Math.abs(player.positionMs - 1500) < 20);
    player.play();
    await clock.advance(60_000);
    assert.equal(screen.text, 'zero one two');
    await clock.advance(2000);
    assert.equal(screen.text, 'zero one two late end');
    assert.equal(player.state, 'ended');
    assert.equal(clock.pendingTimers, 0);
  });

  it('plays as fast as it is told, from the moment on that it is told', async () => {
    for (const speed of SPEEDS) {
      const { player, clock, screen } = await World.of(RECORDS);
      player.setSpeed(speed);
      player.play();
      await clock.advance(Math.round(2500 / speed));
      assert.equal(screen.text, 'zero one two', `at ${speed}`);
      assert.ok(Math.abs(player.positionMs - 2500) <= 32 * speed, `at ${speed}`);
      player.setSpeed(1);
      await clock.advance(1000);
      assert.ok(Math.abs(player.positionMs - 3500) <= 32 * (speed + 1), `after ${speed}`);
      player.dispose();
    }
  });

  it('passes over idle time when that is folded', async () => {
    const { player, clock, screen } = await World.of(RECORDS);
    player.setSchedule(new Schedule([{ fromMs: 2000, toMs: 62_000 }], 300, 63_000));
    player.play();
    await clock.advance(2400);
    assert.equal(screen.text, 'zero one two late');
    player.pause();
    const positionMs = player.positionMs;
    player.setSchedule(Schedule.plain(63_000));
    assert.ok(Math.abs(player.positionMs - positionMs) < 1);
  });

  it('starts again from the start when it is played at its end', async () => {
    const { player, clock, screen } = await World.of(RECORDS);
    await player.seek({ end: true });
    player.play();
    await clock.advance(64_000);
    assert.equal(player.state, 'ended');
    player.toggle();
    await clock.advance(1100);
    assert.equal(screen.text, 'zero one');
    assert.equal(player.state, 'playing');
  });

  it('seeks by time, by byte, by output, and to the end', async () => {
    const { player, screen } = await World.of(RECORDS);
    await player.seek({ timeMs: 1500 });
    assert.equal(screen.text, 'zero one');
    assert.equal(player.positionMs, 1500);
    await player.seek({ byteOffset: 7 });
    assert.equal(screen.text, 'zero on');
    await player.seek({ stepFrom: player.place.byteOffset, direction: 1 });
    assert.equal(screen.text, 'zero one');
    await player.seek({ stepFrom: player.place.byteOffset, direction: -1 });
    assert.equal(screen.text, 'zero');
    await player.seek({ stepFrom: player.place.byteOffset, direction: -1 });
    assert.equal(screen.text, '');
    await player.seek({ end: true });
    assert.equal(screen.text, 'zero one two late end');
    assert.equal(player.positionMs, 63_000);
  });

  it('goes on playing from where it was put, in the middle of a record too', async () => {
    const { player, clock, screen } = await World.of(RECORDS);
    player.play();
    await clock.advance(100);
    await player.seek({ byteOffset: 7 });
    assert.equal(player.state, 'playing');
    await clock.advance(1100);
    assert.equal(screen.text, 'zero one two');
  });

  it('shows only the last of many places that are asked for in a hurry', async () => {
    const gate = deferred();
    const { player, screen } = await World.of(RECORDS, false, (source) => ({
      range: (after) => source.range(after),
      frame: async (target) => {
        await gate.promise;
        return source.frame(target);
      },
    }));
    const seeks = [500, 1000, 1500, 2000].map((timeMs) => player.seek({ timeMs }));
    gate.resolve();
    assert.deepEqual(await Promise.all(seeks), [true, false, false, true]);
    assert.deepEqual(screen.log, ['reset @5', 'reset @13']);
    assert.equal(player.positionMs, 2000);
  });

  it('does not count the time that it waits for data as played', async () => {
    const gate = deferred();
    const { player, clock, screen } = await World.of(RECORDS, false, (source) => ({
      frame: (target) => source.frame(target),
      range: async (after) => {
        await gate.promise;
        return source.range(after);
      },
    }));
    player.play();
    await clock.advance(5000);
    gate.resolve();
    await settle();
    assert.ok(player.positionMs < 100);
    await clock.advance(1100);
    assert.equal(screen.text, 'zero one');
  });

  it('stops and says so when there is nothing to be had', async () => {
    const { player, clock, errors } = await World.of(RECORDS, false, (source) => ({
      frame: (target) => source.frame(target),
      range: () => Promise.reject(new Error('gone')),
    }));
    player.play();
    await clock.advance(100);
    assert.equal(player.state, 'paused');
    assert.equal(errors.length, 1);
  });

  it('follows a running session, and shows its end when it ends', async () => {
    const growing = session([0, 'zero ']);
    const { player, clock, screen } = await World.of([...growing], true, () => ({
      // The recording grows behind the player's back.
      frame: async (target) => (await framesOf(growing, SIZE)).frames.frame(target),
      range: async (after) => (await framesOf(growing, SIZE)).frames.range(after),
    }));
    const grow = (records: AhrRecord[], isLive: boolean) => {
      growing.splice(0, growing.length, ...records);
      const last = records.at(-1) as Extract<AhrRecord, { kind: 'data' }>;
      const totalBytes = last.startByteOffset + last.bytes.length;
      const endMs = Number(last.tsNs - records[0]!.tsNs) / 1e6;
      player.setExtent({ endMs, totalBytes, isLive });
    };
    player.follow();
    await settle();
    assert.equal(screen.text, 'zero');
    grow(RECORDS.slice(0, 2), true);
    grow(RECORDS.slice(0, 3), true);
    await clock.advance(50);
    assert.equal(screen.text, 'zero one two');
    assert.equal(player.state, 'following');
    await player.seek({ timeMs: 1000 });
    assert.equal(player.state, 'paused');
    grow(RECORDS.slice(0, 4), true);
    await clock.advance(50);
    assert.equal(screen.text, 'zero one');
    player.follow();
    await clock.advance(50);
    // It is known to have ended before its last words are.
    grow(RECORDS.slice(0, 4), false);
    await clock.advance(50);
    assert.equal(player.state, 'ended');
    grow(RECORDS, false);
    await clock.advance(50);
    assert.equal(screen.text, 'zero one two late end');
    assert.equal(player.state, 'ended');
  });

  it('becomes a follower when it has played up to a running session’s end', async () => {
    const { player, clock } = await World.of(RECORDS.slice(0, 2), true);
    player.play();
    await clock.advance(1200);
    assert.equal(player.state, 'following');
  });
});
