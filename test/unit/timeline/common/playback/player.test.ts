import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../../src/recording/format/records.ts';
import { Player, SPEEDS } from '../../../../../src/timeline/common/playback/player.ts';
import type { PlaybackSource } from '../../../../../src/timeline/common/playback/playback.ts';
import { TimeAxis } from '../../../../../src/timeline/common/playback/timeAxis.ts';
import { deferred } from '../../../../support/deferred.ts';
import { FakeClock, settle } from '../../../../support/fakeClock.ts';
import { framesOf, ModelScreen } from '../../../../support/terminal/modelScreen.ts';

const SIZE = { cols: 40, rows: 5 };
const encoder = new TextEncoder();

/** Lines, each with its time in seconds. */
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
      source,
      screen: this.screen,
      clock: this.clock,
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
    world.player.setTimeAxis(TimeAxis.plain(endMs));
    return world;
  }
}

describe('Player', () => {
  it('shows each output at its time', async () => {
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

  it('changes speed immediately', async () => {
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

  it('skips folded idle time', async () => {
    const { player, clock, screen } = await World.of(RECORDS);
    player.setTimeAxis(new TimeAxis([{ fromMs: 2000, toMs: 62_000 }], 300, 63_000));
    player.play();
    await clock.advance(2400);
    assert.equal(screen.text, 'zero one two late');
    player.pause();
    const positionMs = player.positionMs;
    player.setTimeAxis(TimeAxis.plain(63_000));
    assert.ok(Math.abs(player.positionMs - positionMs) < 1);
  });

  it('restarts when played at the end', async () => {
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

  it('continues playing after a seek, even into the middle of a record', async () => {
    const { player, clock, screen } = await World.of(RECORDS);
    player.play();
    await clock.advance(100);
    await player.seek({ byteOffset: 7 });
    assert.equal(player.state, 'playing');
    await clock.advance(1100);
    assert.equal(screen.text, 'zero one two');
  });

  it('shows only the last of many quick seeks', async () => {
    const lock = deferred();
    const { player, screen } = await World.of(RECORDS, false, (source) => ({
      range: (after) => source.range(after),
      frame: async (target) => {
        await lock.promise;
        return source.frame(target);
      },
    }));
    const seeks = [500, 1000, 1500, 2000].map((timeMs) => player.seek({ timeMs }));
    lock.resolve();
    assert.deepEqual(await Promise.all(seeks), [true, false, false, true]);
    assert.deepEqual(screen.log, ['reset @5', 'reset @13']);
    assert.equal(player.positionMs, 2000);
  });

  it('does not count loading as playing time', async () => {
    const lock = deferred();
    const { player, clock, screen } = await World.of(RECORDS, false, (source) => ({
      frame: (target) => source.frame(target),
      range: async (after) => {
        await lock.promise;
        return source.range(after);
      },
    }));
    player.play();
    await clock.advance(5000);
    lock.resolve();
    await settle();
    assert.ok(player.positionMs < 100);
    await clock.advance(1100);
    assert.equal(screen.text, 'zero one');
  });

  it('pauses and reports an error when data cannot be loaded', async () => {
    const { player, clock, errors } = await World.of(RECORDS, false, (source) => ({
      frame: (target) => source.frame(target),
      range: () => Promise.reject(new Error('gone')),
    }));
    player.play();
    await clock.advance(100);
    assert.equal(player.state, 'paused');
    assert.equal(errors.length, 1);
  });

  it('follows a running session to its end', async () => {
    const growing = session([0, 'zero ']);
    const { player, clock, screen } = await World.of([...growing], true, () => ({
      // The recording grows while the player plays.
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
    // The end of the session is known before its last output.
    grow(RECORDS.slice(0, 4), false);
    await clock.advance(50);
    assert.equal(player.state, 'ended');
    grow(RECORDS, false);
    await clock.advance(50);
    assert.equal(screen.text, 'zero one two late end');
    assert.equal(player.state, 'ended');
  });

  it('follows after playing to the end of a running session', async () => {
    const { player, clock } = await World.of(RECORDS.slice(0, 2), true);
    player.play();
    await clock.advance(1200);
    assert.equal(player.state, 'following');
  });
});
