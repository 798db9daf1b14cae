import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { placeOf, startOfRecording } from '../../../../../src/branching/node/plan/momentPlace.ts';
import { output, write } from '../../../../support/recording/recordings.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('the place of a moment', () => {
  const folder = useTemporaryFolder();

  it('has a byte offset and a time, whichever of them was given', async () => {
    const file = path.join(folder.path, 'x.ahr');
    // Records of 50 bytes; the time is one second plus a nanosecond per earlier byte.
    writeFileSync(file, (await write(output(1000, 50), 3)).bytes);
    const at = (nanoseconds: number) => 1_000_000_000n + BigInt(nanoseconds);
    const byBytes = await placeOf(file, { byte: 510 });
    assert.deepEqual(byBytes, { byte: 510, timeNs: at(450) });
    const byTime = await placeOf(file, { timeNs: at(460) });
    assert.deepEqual(byTime, { byte: 500, timeNs: at(460) });
    const minuteLater = (await startOfRecording(file)) + 60_000_000_000n;
    assert.equal((await placeOf(file, { timeNs: minuteLater })).byte, 1000);
    await assert.rejects(placeOf(file, { timeNs: 5n }), /began after that time/);
    await assert.rejects(startOfRecording(`${file}x`), /Can't open the recording/);
  });
});
