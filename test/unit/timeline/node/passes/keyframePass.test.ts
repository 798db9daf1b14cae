import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { FileSink } from '../../../../../src/platform/node/files/fileSink.ts';
import { Foreground } from '../../../../../src/timeline/node/passes/foreground.ts';
import { KeyframePass } from '../../../../../src/timeline/node/passes/keyframePass.ts';
import { ReadWriteLock } from '../../../../../src/timeline/node/passes/readWriteLock.ts';
import { TimelineRecording } from '../../../../../src/timeline/node/timelineRecording.ts';
import { makeKeyframes } from '../../../../support/terminal/makeKeyframes.ts';
import type { Keyframe } from '../../../../../src/terminal/keyframes/keyframe.ts';
import {
  KeyframeWriter,
  recordingFingerprint,
} from '../../../../../src/terminal/keyframes/keyframeStore.ts';
import { RecordList, recordsOf } from '../../../../support/recording/recordList.ts';
import { write } from '../../../../support/recording/recordings.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const SIZE = { cols: 40, rows: 6 };

describe('KeyframePass', () => {
  const folder = useTemporaryFolder();
  const lines = Array.from({ length: 60 }, (_, line) => `line ${line}\r\n`.repeat(2500));
  const records = recordsOf([SIZE.cols, SIZE.rows], ...lines);
  let all: Keyframe[];
  let recording: TimelineRecording;
  let writer: KeyframeWriter;
  let sink: FileSink;

  /** @param kept keyframes that the recorder has written */
  async function open(kept: readonly Keyframe[]): Promise<void> {
    const file = path.join(folder.path, 'session.ahr');
    writeFileSync(file, (await write(records, 4)).bytes);
    sink = await FileSink.create(path.join(folder.path, 'session.keyframes'));
    writer = await KeyframeWriter.create(sink, recordingFingerprint(SIZE, records[0]));
    for (const keyframe of kept) await writer.append(keyframe);
    recording = await TimelineRecording.open(file);
    while (await recording.scan());
  }

  const start = () => KeyframePass.fromLast(recording, new ReadWriteLock(), new Foreground());

  before(async () => {
    all = [];
    for await (const keyframe of makeKeyframes(new RecordList(records), SIZE)) all.push(keyframe);
    assert.ok(all.length >= 4, `${all.length} keyframes`);
  });

  afterEach(async () => {
    recording.dispose();
    await sink.close();
  });

  it('continues after the last keyframe, with the same keyframes as playing from the start', async () => {
    await open(all.slice(0, 2));
    const pass = (await start())!;
    assert.ok(pass.progress > 0, 'what has its keyframes is not played again');
    await pass.run();
    assert.equal(recording.keyframes.reach, all.at(-1)!.byteOffset);
    for (const expected of all) {
      const found = await recording.keyframes.last(
        ({ byteOffset }) => byteOffset <= expected.byteOffset,
      );
      assert.deepEqual({ ...found, stream: Uint8Array.from(found!.stream) }, expected);
    }
    pass.dispose();
  });

  it('ends once the recorder has written further keyframes', async () => {
    await open(all.slice(0, 1));
    const pass = (await start())!;
    for (const keyframe of all.slice(1)) await writer.append(keyframe);
    await recording.keyframes.refresh();
    await pass.run();
    assert.ok(pass.isDisposed);
    assert.ok(!pass.isCurrent, 'it did not play to the end');
  });

  it('does not start without a keyframe', async () => {
    await open([]);
    assert.equal(await start(), undefined);
  });

  it('does not start with a keyframe of another time', async () => {
    await open([{ ...all[0]!, tsNs: all[0]!.tsNs + 1n }]);
    assert.equal(await start(), undefined);
  });
});
