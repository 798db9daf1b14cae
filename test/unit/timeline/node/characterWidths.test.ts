import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { UnicodeVersion } from '../../../../src/base/unicodeVersion.ts';
import { FileSink } from '../../../../src/platform/node/files/fileSink.ts';
import {
  KeyframeWriter,
  recordingFingerprint,
} from '../../../../src/terminal/keyframes/keyframeStore.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { decodeState } from '../../../../src/timeline/common/protocol/playbackCodec.ts';
import type { TranscriptUpdate } from '../../../../src/timeline/common/transcript/transcript.ts';
import { TimelineServer } from '../../../../src/timeline/node/timelineServer.ts';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { write } from '../../../support/recording/recordings.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import {
  MARKED_EMOJI,
  MARKED_ROW,
  writeWidthSession,
} from '../../../support/terminal/widthSession.ts';

const SIZE = { cols: 40, rows: 5 };
const RECORDS = recordsOf([SIZE.cols, SIZE.rows], MARKED_EMOJI);

describe('widths in the timeline', () => {
  const folder = useTemporaryFolder();
  let server: TimelineServer | undefined;
  const lines: string[] = [];

  afterEach(() => {
    server?.dispose();
    lines.length = 0;
  });

  async function open() {
    const file = path.join(folder.path, 'session.ahr');
    writeFileSync(file, (await write(RECORDS, 5)).bytes);
    const notify = (name: string, body: unknown) => {
      if (name === 'transcript') {
        for (const { text } of (body as TranscriptUpdate).lines) lines.push(text);
      }
    };
    server = new TimelineServer(file, notify, '');
    return { file, extent: await server.open() };
  }

  /** The first row of the page, which uses the version that the extent names. */
  async function firstRow(unicodeVersion: UnicodeVersion): Promise<string> {
    const { body, binary } = await server!.frame({ byteOffset: MARKED_EMOJI.length * 2 });
    const { cols, rows, bytes } = decodeState(body, binary);
    const model = new TerminalModel({ size: { cols, rows }, unicodeVersion });
    model.write(bytes, 0);
    return model.rows()[0]!.text.trimEnd();
  }

  /** Keyframes beside the recording, made with some widths, whose screen is recognizable. */
  async function keepKeyframe(unicodeVersion: UnicodeVersion): Promise<void> {
    const file = path.join(folder.path, 'session.keyframes');
    rmSync(file, { force: true });
    const sink = await FileSink.create(file);
    const fingerprint = recordingFingerprint(SIZE, RECORDS[0], unicodeVersion);
    const model = new TerminalModel({ size: SIZE, unicodeVersion });
    model.write(new TextEncoder().encode('kept'), new TextEncoder().encode(MARKED_EMOJI).length);
    const place = { recordIndex: 2, tsNs: RECORDS[1]!.tsNs };
    await (
      await KeyframeWriter.create(sink, fingerprint)
    ).append({ ...model.captureState()!, ...place });
    await sink.close();
  }

  for (const [stored, version] of [
    ['6', '6'],
    ['11', '11'],
    [undefined, '6'],
  ] as const) {
    it(`are those of the session’s terminal; its version is ${stored}`, async () => {
      const file = path.join(folder.path, 'session.ahr');
      await writeWidthSession(folder.path, file, stored);
      const { extent } = await open();
      assert.equal(extent.unicodeVersion, version);
      assert.equal(await firstRow(version), MARKED_ROW[version]);
      server!.transcribe();
      await server!.refresh();
      await until(() => lines.includes(MARKED_ROW[version]), `the transcript: ${lines.join('|')}`);
    });

    it(`ignore keyframes with other widths; the session’s version is ${stored}`, async () => {
      const file = path.join(folder.path, 'session.ahr');
      await writeWidthSession(folder.path, file, stored);
      await keepKeyframe(version === '6' ? '11' : '6');
      await open();
      assert.equal(await firstRow(version), MARKED_ROW[version]);
      server!.dispose();
      await keepKeyframe(version);
      await open();
      assert.equal(await firstRow(version), 'kept');
    });
  }

  it('are those of VS Code’s default for a file on its own', async () => {
    assert.equal((await open()).extent.unicodeVersion, '11');
    assert.equal(await firstRow('11'), MARKED_ROW['11']);
  });
});
