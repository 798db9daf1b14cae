import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { agentLikeFile } from '../../../../bench/agentOutput.ts';
import { costOf, percentile, type Cost } from '../../../../bench/row.ts';
import { brotliCompressor } from '../../../../src/platform/node/files/brotli.ts';
import { FileSink } from '../../../../src/platform/node/files/fileSink.ts';
import { SystemClock } from '../../../../src/platform/node/systemClock.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { RecordingWriter } from '../../../../src/recording/write/writer.ts';
import type { Keyframe } from '../../../../src/terminal/keyframes/keyframe.ts';
import { KeyframeSchedule } from '../../../../src/terminal/keyframes/keyframeSchedule.ts';
import {
  KeyframeWriter,
  recordingFingerprint,
} from '../../../../src/terminal/keyframes/keyframeStore.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { until } from '../../../support/ah.ts';
import { ModelScreen } from '../../../support/terminal/modelScreen.ts';
import { Random } from '../../../support/random.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { assertSameFacts, lossesOf, screenOf } from '../../../support/terminal/terminalState.ts';
import { TimelineThread } from '../../../support/timelineThread.ts';
import { isSoak } from '../../../support/soak.ts';

const BYTES = isSoak ? 1_000_000_000 : 5_000_000;
const PERIOD_BYTES = isSoak ? 10_000_000 : 1_500_000;
/** Number of positions whose screens are computed by playing from the start. */
const PLACES = isSoak ? 60 : 20;
const SEEKS_PER_TURN = isSoak ? 3 : 5;
const SEEKS = isSoak ? 200 : 20;
const MAKE_NEW = Buffer.from('\x1bc');
const RECORD_BYTES = 8 * 1024;
const RECORD_INTERVAL_NS = 20_000_000n;
const START_NS = 1_790_000_000_000_000_000n;
const SIZE = { cols: 120, rows: 40 };
const MAX_P95_MS = 50;

/** The screen after playing from the start to a byte; undefined if a stream can't express it. */
interface Place {
  readonly byteOffset: number;
  readonly facts: readonly string[] | undefined;
}

/** Output that starts with a reset of the terminal, so that each repetition shows the same. */
interface Period {
  readonly bytes: Uint8Array;
  readonly records: readonly Extract<AhrRecord, { kind: 'data' }>[];
  readonly keyframes: readonly Keyframe[];
  readonly places: readonly Place[];
}

async function playPeriod(random: Random): Promise<Period> {
  const output = await readFile(await agentLikeFile(PERIOD_BYTES - MAKE_NEW.length));
  const bytes = Buffer.concat([MAKE_NEW, output]);
  const wanted = Array.from({ length: PLACES }, () => random.below(bytes.length));
  wanted.sort((a, b) => a - b);
  const model = new TerminalModel({ size: SIZE, historyLines: 0 });
  const schedule = new KeyframeSchedule();
  const records: Extract<AhrRecord, { kind: 'data' }>[] = [];
  const keyframes: Keyframe[] = [];
  const places: Place[] = [];
  for (let start = 0; start < bytes.length; start += RECORD_BYTES) {
    const part = bytes.subarray(start, start + RECORD_BYTES);
    const tsNs = BigInt(records.length + 1) * RECORD_INTERVAL_NS;
    const record = { kind: 'data', tsNs, startByteOffset: start, bytes: part } as const;
    records.push(record);
    let at = start;
    const playTo = (byteOffset: number) => {
      if (byteOffset > at) model.write(bytes.subarray(at, byteOffset), byteOffset);
      at = byteOffset;
    };
    while (places.length < wanted.length && wanted[places.length]! < start + part.length) {
      const byteOffset = wanted[places.length]!;
      playTo(byteOffset);
      const hasLosses = lossesOf(model).size > 0;
      places.push({ byteOffset, facts: hasLosses ? undefined : screenOf(model) });
    }
    playTo(start + part.length);
    const keyframe = schedule.afterRecord(model, record);
    if (keyframe) keyframes.push(keyframe);
  }
  model.dispose();
  return { bytes, records, keyframes, places };
}

/** A session that is being recorded: the file and the keyframes beside it grow. */
class Growth {
  readonly #period: Period;
  readonly #writer: RecordingWriter;
  readonly #keyframes: KeyframeWriter;
  readonly #sinks: readonly FileSink[];
  #turns = 0;

  private constructor(period: Period, sinks: readonly FileSink[], keyframes: KeyframeWriter) {
    this.#period = period;
    this.#sinks = sinks;
    this.#keyframes = keyframes;
    this.#writer = new RecordingWriter({
      sink: sinks[0]!,
      clock: new SystemClock(),
      compressor: brotliCompressor,
      quality: 1,
    });
  }

  static async start(folder: string, period: Period): Promise<Growth> {
    const recording = await FileSink.create(path.join(folder, 'session.ahr'));
    const kept = await FileSink.create(path.join(folder, 'session.keyframes'));
    const first: AhrRecord = { kind: 'resize', tsNs: START_NS, ...SIZE };
    const keyframes = await KeyframeWriter.create(kept, recordingFingerprint(SIZE, first));
    const growth = new Growth(period, [recording, kept], keyframes);
    growth.#writer.append(first);
    return growth;
  }

  get byteOffset(): number {
    return this.#writer.byteOffset;
  }

  /** Appends one more repetition of the output. */
  async grow(): Promise<void> {
    const { bytes, records, keyframes } = this.#period;
    const beforeNs = START_NS + BigInt(this.#turns * records.length) * RECORD_INTERVAL_NS;
    const before = this.#turns * bytes.length;
    for (const record of records) {
      const startByteOffset = before + record.startByteOffset;
      this.#writer.append({ ...record, startByteOffset, tsNs: beforeNs + record.tsNs });
      if (this.#writer.pendingBytes > 4 * 1024 * 1024) await this.#writer.flush();
    }
    await this.#writer.flush();
    for (const keyframe of keyframes) {
      await this.#keyframes.append({
        ...keyframe,
        byteOffset: before + keyframe.byteOffset,
        tsNs: beforeNs + keyframe.tsNs,
        // The first record of all is the size of the terminal.
        recordIndex: 1 + this.#turns * records.length + keyframe.recordIndex,
      });
    }
    this.#turns++;
  }

  async close(): Promise<void> {
    await this.#writer.close();
    for (const sink of this.#sinks) await sink.close();
  }
}

describe(`seeking in a recording that grows to ${BYTES / 1e6} MB`, function () {
  this.timeout(isSoak ? 3_600_000 : 120_000);
  const folder = useTemporaryFolder();

  it('shows every place soon, however long the recording is', async () => {
    const random = new Random(5);
    const period = await playPeriod(random);
    const growth = await Growth.start(folder.path, period);
    const thread = new TimelineThread();
    let compared = 0;
    let sought = 0;
    const whileGrowing: Cost[] = [];
    const atTheEnd: Cost[] = [];
    /** A random place in the written part. */
    const somewhere = (): Place => {
      const { byteOffset, facts } = random.pick(period.places);
      const turn = random.below(growth.byteOffset / period.bytes.length);
      return { byteOffset: turn * period.bytes.length + byteOffset, facts };
    };
    const compare = async ({ byteOffset, facts }: Place): Promise<void> => {
      const shown = await thread.seek({ byteOffset });
      assert.equal(shown.place.byteOffset, byteOffset);
      sought++;
      if (!facts) return;
      const screen = new ModelScreen();
      await screen.reset(shown);
      assertSameFacts(screenOf(screen.model), facts, `at byte ${byteOffset}`);
      screen.model.dispose();
      compared++;
    };
    await growth.grow();
    await thread.open(path.join(folder.path, 'session.ahr'));
    while (growth.byteOffset < BYTES) {
      // Seeks in the written part are right while more is being written.
      const places = [somewhere(), somewhere()];
      const growing = growth.grow();
      for (const place of places) await compare(place);
      await growing;
      const { byteOffset } = growth;
      await until(() => thread.extent?.totalBytes === byteOffset, 'all to be known', 300_000);
      for (let seek = 0; seek < SEEKS_PER_TURN; seek++) {
        const place = somewhere();
        whileGrowing.push(await costOf(() => thread.seek({ byteOffset: place.byteOffset })));
        await compare(place);
      }
    }
    await growth.close();
    for (let seek = 0; seek < SEEKS; seek++) {
      const place = somewhere();
      atTheEnd.push(await costOf(() => thread.seek({ byteOffset: place.byteOffset })));
      await compare(place);
    }
    await thread.end();
    const facts = `${factsOf('a seek while it grew', whileGrowing)}; ${factsOf('at the end', atTheEnd)}`;
    console.log(`      ${compared} places compared; ${facts}`);
    assert.ok(compared >= sought * 0.8, `${compared} of ${sought} places compared`);
    if (!isSoak) return;
    for (const costs of [whileGrowing, atTheEnd]) assert.ok(p95Of(costs) <= MAX_P95_MS, facts);
  });
});

function p95Of(costs: readonly Cost[]): number {
  const times = costs.map(({ ms }) => ms);
  return percentile(times, 0.95);
}

function factsOf(what: string, costs: readonly Cost[]): string {
  const at = (share: number, of: keyof Cost) =>
    percentile(
      costs.map((cost) => cost[of]),
      share,
    ).toFixed(1);
  return `${what}: p95 ${at(0.95, 'ms')} ms, median ${at(0.5, 'ms')} (of a processor ${at(0.95, 'cpuMs')} and ${at(0.5, 'cpuMs')})`;
}
