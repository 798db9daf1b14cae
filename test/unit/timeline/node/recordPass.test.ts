import assert from 'node:assert/strict';
import { Foreground } from '../../../../src/timeline/node/foreground.ts';
import { RecordPass } from '../../../../src/timeline/node/recordPass.ts';
import { SharedGate } from '../../../../src/timeline/node/sharedGate.ts';
import type { TimelineRecording } from '../../../../src/timeline/node/timelineRecording.ts';
import { until } from '../../../support/ah.ts';
import { indexOf } from '../../../support/modelScreen.ts';
import { RecordList, recordsOf } from '../../../support/recordList.ts';

/** Takes its time with each record. */
class SlowPass extends RecordPass {
  played = 0;

  protected override play(): void {
    this.played++;
    const end = performance.now() + 5;
    while (performance.now() < end);
  }
}

describe('RecordPass', () => {
  it('lets go of a recording that is to be looked at anew, also while somebody waits for a place', async () => {
    const records = recordsOf(...Array.from({ length: 60 }, () => 'words'));
    const recording = {
      ...{ index: indexOf(records), source: new RecordList(records) },
      reader: { recordCount: records.length },
    };
    const [gate, foreground] = [new SharedGate(), new Foreground()];
    const pass = new SlowPass(recording as unknown as TimelineRecording, gate, foreground);
    const running = pass.run();
    await until(() => pass.played > 0, 'it to be under way');
    let isServed = false;
    const looking = gate.exclusive(() => Promise.resolve());
    const served = foreground.run(() => gate.shared(() => Promise.resolve((isServed = true))));
    await until(() => isServed, 'whoever waits to be served', 5000);
    await Promise.all([looking, served, running]);
    assert.equal(pass.played, 60);
  });
});
