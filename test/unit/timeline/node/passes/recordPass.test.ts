import assert from 'node:assert/strict';
import { Foreground } from '../../../../../src/timeline/node/passes/foreground.ts';
import { RecordPass } from '../../../../../src/timeline/node/passes/recordPass.ts';
import { ReadWriteLock } from '../../../../../src/timeline/node/passes/readWriteLock.ts';
import type { TimelineRecording } from '../../../../../src/timeline/node/timelineRecording.ts';
import { until } from '../../../../support/ah.ts';
import { indexOf } from '../../../../support/terminal/modelScreen.ts';
import { RecordList, recordsOf } from '../../../../support/recording/recordList.ts';

/** Plays each record slowly. */
class SlowPass extends RecordPass {
  played = 0;

  protected override play(): void {
    this.played++;
    const end = performance.now() + 5;
    while (performance.now() < end);
  }
}

describe('RecordPass', () => {
  it('releases the lock for a writer, even while a request waits', async () => {
    const records = recordsOf(...Array.from({ length: 60 }, () => 'words'));
    const recording = {
      index: indexOf(records),
      source: new RecordList(records),
      reader: { recordCount: records.length },
    };
    const [lock, foreground] = [new ReadWriteLock(), new Foreground()];
    const pass = new SlowPass(recording as unknown as TimelineRecording, lock, foreground);
    const running = pass.run();
    await until(() => pass.played > 0, 'it to be under way');
    let isServed = false;
    const looking = lock.write(() => Promise.resolve());
    const served = foreground.run(() => lock.read(() => Promise.resolve((isServed = true))));
    await until(() => isServed, 'the waiting request', 5000);
    await Promise.all([looking, served, running]);
    assert.equal(pass.played, 60);
  });
});
