import assert from 'node:assert/strict';
import { outputOf, readRecording, until } from '../../support/ah.ts';
import { scrollbackOf } from '../../support/scrollbackOf.ts';
import { useSandbox } from '../../support/useSandbox.ts';

const SIZE = { cols: 80, rows: 24 };
const PRINTED = 30_000;
const SCRIPT = `seq 1 ${PRINTED}; echo done; sleep 60`;
/** The screen holds some of the printed lines, "done", and the line of the cursor. */
const SCROLLED_OFF = PRINTED + 2 - SIZE.rows;

describe('a client that attaches and asks for a long scrollback', () => {
  const sandbox = useSandbox();

  /** The lines above the screen of a client that asks for 50,000 of them. */
  async function scrollback(scrollbackLines?: number): Promise<string[]> {
    const { hostSocket, recording } = await sandbox.current.launch(['/bin/sh', '-c', SCRIPT], {
      ...SIZE,
      ...(scrollbackLines !== undefined && { scrollbackLines }),
    });
    const isPrinted = async () =>
      outputOf((await readRecording(recording)).records).includes('done');
    await until(isPrinted, 'the output');
    return scrollbackOf(hostSocket, 50_000);
  }

  const numbers = (first: number) =>
    Array.from({ length: SCROLLED_OFF - first + 1 }, (_, index) => String(first + index));

  it('gets all lines from a recorder that keeps as many', async () => {
    assert.deepEqual(await scrollback(50_000), numbers(1));
  });

  for (const kept of [undefined, 1000]) {
    it(`gets the last 10,000 from a recorder started for ${kept ?? 'no'} lines`, async () => {
      assert.deepEqual(await scrollback(kept), numbers(SCROLLED_OFF - 10_000 + 1));
    });
  }
});
