import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../../src/base/errors.ts';
import {
  RecordingThread,
  type RecordingPlace,
} from '../../../../src/recording/node/recordingThread.ts';
import type { RecordedState } from '../../../../src/terminal/lines/recordingContent.ts';
import { output, write } from '../../../support/recording/recordings.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

const WORKER = path.resolve(
  import.meta.dirname,
  '../../../../src/recording/node/recordingWorker.ts',
);

describe('RecordingThread', () => {
  const folder = useTemporaryFolder();
  let thread: RecordingThread | undefined;
  let state: RecordedState | undefined;

  function open(place: RecordingPlace): RecordingThread {
    thread = new RecordingThread(WORKER, place);
    thread.onDidChange((next) => (state = next));
    return thread;
  }

  afterEach(() => thread?.dispose());

  it('follows a file that grows, is replaced, and is deleted', async () => {
    const file = path.join(folder.path, 'session.ahr');
    const whole = (await write(output(20_000, 500), 4)).bytes;
    writeFileSync(file, whole.subarray(0, whole.length / 2));
    const recording = open({ file });
    await recording.refresh();
    const half = state!;
    assert.ok(half.outputBytes > 0 && half.outputBytes < 20_000 && !half.isFinished);
    writeFileSync(file, whole);
    await recording.refresh();
    assert.deepEqual([state!.outputBytes, state!.isFinished], [20_000, true]);
    assert.equal(state!.generation, half.generation);
    writeFileSync(`${file}.packed`, (await write(output(20_000, 500))).bytes);
    renameSync(`${file}.packed`, file);
    await recording.refresh();
    assert.equal(state!.outputBytes, 20_000);
    assert.notEqual(state!.generation, half.generation);
    const { items, generation } = await recording.items(0, 5);
    assert.deepEqual([items.length, generation], [5, state!.generation]);
    rmSync(file);
    await recording.refresh();
    assert.equal(state!.failure?.code, 'recording-gone');
    assert.equal((await recording.items(0, 5)).items.length, 5);
  });

  it('receives the bytes of files that it can’t read itself, or the error', async () => {
    const whole = (await write(output(5000, 500), 1)).bytes;
    const reads = [whole.subarray(0, whole.length / 2), undefined, whole];
    const recording = open({
      readIfChanged: () =>
        reads.length > 0
          ? Promise.resolve(reads.shift())
          : Promise.reject(new UserError('too-large', 'It is too large.')),
    });
    await recording.refresh();
    const first = state!.outputBytes;
    assert.ok(first > 0 && first < 5000);
    await recording.refresh();
    assert.equal(state!.outputBytes, first);
    await recording.refresh();
    assert.deepEqual([state!.outputBytes, state!.isFinished], [5000, true]);
    await recording.refresh();
    assert.deepEqual(state!.failure, { code: 'too-large', message: 'It is too large.' });
  });

  it('rejects requests after it is closed', async () => {
    const recording = open({ file: path.join(folder.path, 'none.ahr') });
    const pending = recording.refresh();
    recording.dispose();
    await assert.rejects(pending, /was closed/);
    await assert.rejects(recording.items(0, 1), /was closed/);
  });
});
