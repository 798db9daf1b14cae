import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import {
  brotliCompressor,
  brotliDecompressor,
} from '../../../../src/platform/node/files/brotli.ts';
import { FileSink } from '../../../../src/platform/node/files/fileSink.ts';
import { FileSource } from '../../../../src/platform/node/files/fileSource.ts';
import {
  validateRecording,
  type ValidationReport,
} from '../../../../src/recording/read/validator.ts';
import { repack } from '../../../../src/recording/write/repack.ts';
import { until } from '../../../support/ah.ts';
import { startLiveRecording } from '../../../support/recording/liveRecording.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { write } from '../../../support/recording/recordings.ts';
import type { StandaloneTimeline } from '../../harness/pages/standaloneTimeline.ts';
import { sinceStart, useTimelinePage } from '../../harness/pages/useTimelinePage.ts';

const STEPS = Array.from({ length: 120 }, (_, step) => `line ${step}\r\n`);
const RECORDS = recordsOf([60, 10], ...STEPS).map((record) => ({
  ...record,
  tsNs: record.tsNs * 500n,
}));

describe('the timeline of a file that changes', function () {
  this.timeout(120_000);
  const pages = useTimelinePage();
  const notice = (timeline: StandaloneTimeline, text: string) =>
    timeline.frame.locator('.notice', { hasText: text });

  /** The same number as `ah agent validate` (test/process/recording/intactBytes.test.ts). */
  async function saysWhatIsIntact(timeline: StandaloneTimeline): Promise<void> {
    const { goodBytes } = await validated(pages.file);
    const fileBytes = statSync(pages.file).size;
    assert.ok(goodBytes > 0 && goodBytes < fileBytes, `${goodBytes} of ${fileBytes}`);
    const text = await timeline.frame.locator('.notice').textContent();
    assert.ok(
      text?.endsWith(`The first ${goodBytes} of ${fileBytes} bytes are intact.`),
      text ?? '',
    );
  }

  it('keeps its position when the recording is repacked', async () => {
    const timeline = await pages.open(RECORDS);
    await timeline.click(0.4);
    const [place, text] = [await timeline.byteText(), await timeline.text()];
    const before = statSync(pages.file).ino;
    const source = await FileSource.open(pages.file);
    const sink = await FileSink.create(`${pages.file}.new`);
    const [compressor, decompressor] = [brotliCompressor, brotliDecompressor];
    await repack({ source, sink, compressor, decompressor });
    await sink.close();
    await source.close();
    renameSync(`${pages.file}.new`, pages.file);
    assert.notEqual(statSync(pages.file).ino, before);
    await until(() => !isOpen(`${pages.file} (deleted)`), 'the new file to be read');
    assert.equal(await timeline.byteText(), place);
    assert.equal(await timeline.text(), text);
    await timeline.press('k');
    await timeline.press('j');
    assert.equal(await timeline.text(), text);
    assert.ok(await timeline.frame.locator('.notice').isHidden());
    await timeline.press('End');
    await timeline.shows('line 119');
  });

  it('shows the rest of a truncated recording, and reports the loss', async () => {
    const timeline = await pages.open(RECORDS);
    await timeline.shows('line 119');
    truncateSync(pages.file, Math.floor(statSync(pages.file).size * 0.6));
    await notice(timeline, 'The end of this recording is missing').waitFor();
    await saysWhatIsIntact(timeline);
    await until(async () => !(await timeline.text()).includes('line 119'), 'what is left');
    await timeline.settled();
    assert.match(await timeline.text(), /line \d+/);
    await timeline.press('Home');
    await timeline.press('k');
    assert.equal(await timeline.text(), 'line 0');
  });

  it('says that a file without a session has no snapshots', async () => {
    const timeline = await pages.open(RECORDS, { session: { sessionId: null } });
    for (const key of ['i', 's']) {
      await timeline.press(key);
      await notice(timeline, 'has no snapshots: it can be played, not branched from').waitFor();
    }
    assert.deepEqual(timeline.actions, []);
  });

  it('reports a deleted file, keeps its screen, and continues when the file is back', async () => {
    const timeline = await pages.open(RECORDS);
    const text = await timeline.text();
    const bytes = readFileSync(pages.file);
    rmSync(pages.file);
    await notice(timeline, 'session.ahr no longer exists').waitFor();
    assert.equal(await timeline.text(), text);
    writeFileSync(pages.file, bytes);
    await notice(timeline, 'no longer exists').waitFor({ state: 'hidden' });
    await timeline.press('Home');
    await timeline.press('k');
    assert.equal(await timeline.text(), 'line 0');
  });

  it('shows another recording that takes its place', async () => {
    const timeline = await pages.open(RECORDS);
    const other = recordsOf([50, 6], 'somebody else’s').map((record) => ({
      ...record,
      tsNs: record.tsNs + 77n,
    }));
    writeFileSync(`${pages.file}.new`, (await write(sinceStart(other))).bytes);
    renameSync(`${pages.file}.new`, pages.file);
    await timeline.shows('somebody else’s');
    // The caption is drawn after the terminal.
    await timeline.settled();
    assert.deepEqual(await timeline.terminalSize(), { cols: 50, rows: 6 });
  });

  it('reports damage in the middle, and shows the rest', async () => {
    const { bytes } = await write(sinceStart(RECORDS), 10);
    const damaged = Buffer.from(bytes);
    damaged.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 10);
    writeFileSync(pages.file, damaged);
    const timeline = await pages.openFile();
    await notice(timeline, 'damaged').waitFor();
    await saysWhatIsIntact(timeline);
    await timeline.shows('line 119');
    await timeline.press('Home');
    await timeline.press('k');
    assert.equal(await timeline.text(), 'line 0');
  });

  it('says that a file is damaged from the start, and does not go on loading', async () => {
    const { bytes } = await write(sinceStart(RECORDS));
    writeFileSync(pages.file, Buffer.from(bytes).fill(0xff, 44));
    const timeline = await pages.openFile();
    await notice(timeline, 'damaged from the start').waitFor();
    const list = timeline.frame.locator('.moments-list .empty');
    assert.equal(await list.textContent(), 'Can’t load the moments.');
  });

  it('grows with a running session: follows it, keeps a chosen position, and ends with it', async () => {
    const records = sinceStart(RECORDS);
    const { grow, close } = await startLiveRecording(pages.file, records);
    await grow(61);
    const session = { isRunning: true, stateText: 'running' };
    const timeline = await pages.openFile({ session });
    const follow = timeline.frame.locator('.chip', { hasText: 'Follow' });
    await timeline.shows('line 59');
    await grow(81);
    await timeline.shows('line 79');
    assert.equal(await follow.getAttribute('aria-pressed'), 'true');
    await timeline.press('Home');
    assert.equal(await follow.getAttribute('aria-pressed'), 'false');
    await grow(101);
    await until(async () => (await timeline.positionText()).endsWith('0:50'), 'it to be longer');
    assert.equal(await timeline.byteOffset(), 0);
    await timeline.press('f');
    await timeline.shows('line 99');
    await timeline.press('f');
    assert.equal(await follow.getAttribute('aria-pressed'), 'false');
    await timeline.press('End');
    await grow(121);
    await close();
    timeline.setSession({ isRunning: false, stateText: 'finished' });
    await timeline.shows('line 119');
    assert.ok(await follow.isHidden());
  });

  it('restores position, speed, zoom, filter, idle time and search after a reload', async () => {
    const timeline = await pages.open(RECORDS);
    await timeline.click(0.3);
    for (const key of ['+', '>', '>', 'd']) await timeline.press(key);
    await timeline.press('+');
    await timeline.press('/');
    await timeline.page.keyboard.type('line 7');
    await timeline.settled();
    const look = async () => ({
      bytes: await timeline.byteText(),
      time: await timeline.positionText(),
      text: await timeline.text(),
      search: await timeline.frame.locator('input').inputValue(),
      speed: await timeline.frame.locator('.controls select').inputValue(),
      isWhole: await timeline.frame.locator('[aria-label^="Zoom to fit"]').isDisabled(),
      cursor: (await timeline.frame.locator('.cursor').boundingBox())?.x,
      idle: await timeline.frame.locator('.chip', { hasText: 'Skip' }).getAttribute('aria-pressed'),
    });
    const before = await look();
    assert.equal(before.isWhole, false);
    // The page saves its state from time to time.
    const kept = () => timeline.page.evaluate<string>("sessionStorage.getItem('state') ?? ''");
    await until(async () => (await kept()).includes('line 7'), 'the state to be kept');
    await timeline.reload();
    assert.deepEqual(await look(), before);
  });
});

async function validated(file: string): Promise<ValidationReport> {
  const source = await FileSource.open(file);
  try {
    return await validateRecording(source, brotliDecompressor);
  } finally {
    await source.close();
  }
}

/** Whether this process has a file open. */
function isOpen(file: string): boolean {
  return readdirSync('/proc/self/fd').some((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === file;
    } catch {
      return false; // The process has closed the file meanwhile.
    }
  });
}
