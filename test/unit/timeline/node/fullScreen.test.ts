import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TranscriptUpdate } from '../../../../src/timeline/common/transcript/transcript.ts';
import { TimelineServer } from '../../../../src/timeline/node/timelineServer.ts';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { write } from '../../../support/recording/recordings.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { writeWidthSession } from '../../../support/terminal/widthSession.ts';

const OUTPUT = ['$ vim\r\n', '\x1b[?1049h\x1b[Htext', '\x1b[?1049l', '$ exit'];
const SECOND = 1_000_000_000n;

describe('a full-screen program in a transcript', () => {
  const folder = useTemporaryFolder();
  let server: TimelineServer | undefined;

  afterEach(() => server?.dispose());

  /** @param cmd undefined: the recording is a file on its own */
  async function transcript(cmd: readonly string[] | undefined): Promise<string[]> {
    const file = path.join(folder.path, 'session.ahr');
    const records = recordsOf([40, 5], ...OUTPUT).map((record, index) => {
      return { ...record, tsNs: BigInt(index + 1) * 3n * SECOND };
    });
    writeFileSync(file, (await write(records)).bytes);
    if (cmd) await writeWidthSession(folder.path, file, '11', cmd);
    let lines: readonly string[] = [];
    server = new TimelineServer(
      file,
      (name, body) => {
        if (name !== 'transcript') return;
        const { from, lines: changed } = body as TranscriptUpdate;
        lines = [...lines.slice(0, from), ...changed.map(({ text }) => text)];
      },
      '',
    );
    await server.open();
    server.transcribe();
    await server.refresh();
    await until(() => lines.includes('$ exit'), 'the transcript');
    return [...lines];
  }

  it('is one line in the session of a shell', async () => {
    assert.deepEqual(await transcript(['/bin/bash', '-i']), [
      '$ vim',
      'vim: full screen, 3 s',
      '$ exit',
    ]);
  });

  for (const cmd of [['claude'], ['bash', '-c', 'make'], undefined]) {
    it(`has its text in ${cmd ? `the session of “${cmd.join(' ')}”` : 'a file on its own'}`, async () => {
      assert.deepEqual(await transcript(cmd), ['$ vim', 'text', '$ exit']);
    });
  }
});
