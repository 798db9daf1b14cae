import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { TimelineServer } from '../../../src/timeline/node/timelineServer.ts';
import { readPtyFixture } from '../../support/terminal/ptyFixture.ts';
import { write } from '../../support/recording/recordings.ts';
import { useSandbox } from '../../support/useSandbox.ts';

const PATTERN_WORKER = path.resolve(
  import.meta.dirname,
  '../../../src/timeline/node/patternWorker.ts',
);

describe('how much of a damaged recording is intact', () => {
  const sandbox = useSandbox();

  const overwritten = (bytes: Uint8Array, at: number): Uint8Array => {
    const damaged = Uint8Array.from(bytes);
    return damaged.fill(0xff, at, at + 10);
  };
  const damages: Readonly<Record<string, (whole: Uint8Array) => Uint8Array>> = {
    'cut in a block': (whole) => whole.subarray(0, Math.floor(whole.length * 0.6)),
    'cut in the last header': (whole) => whole.subarray(0, whole.length - 5),
    'damaged in the middle': (whole) => overwritten(whole, Math.floor(whole.length / 2)),
    'damaged and cut': (whole) =>
      overwritten(whole, Math.floor(whole.length / 3)).subarray(0, -whole.length / 4),
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`is the same for ah agent validate and the timeline: ${name}`, async () => {
      const { records } = readPtyFixture('codex');
      const file = path.join(sandbox.current.folder, 'damaged.ahr');
      writeFileSync(file, damage((await write(records, 20)).bytes));
      const { exitCode, stdout } = await sandbox.current.run('agent', 'validate', file);
      assert.equal(exitCode, 1);
      const sentence = /^The first (\d+) of \d+ bytes are intact\.$/m.exec(stdout.toString());
      assert.ok(sentence && Number(sentence[1]) > 0, stdout.toString());
      const problem = await problemOf(file);
      assert.ok(problem?.endsWith(sentence[0]), `${problem} and ${sentence[0]}`);
    });
  }
});

/** The problem that the timeline shows when it has read the file. */
async function problemOf(file: string): Promise<string | null> {
  let problem: string | null = null;
  const server = new TimelineServer(
    file,
    (name, body) => {
      if (name === 'extent') ({ problem } = body as { problem: string | null });
    },
    PATTERN_WORKER,
  );
  try {
    ({ problem } = await server.open());
    await server.refresh();
    return problem;
  } finally {
    server.dispose();
  }
}
