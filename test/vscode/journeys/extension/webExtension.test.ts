import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { BrowserContext } from 'playwright-core';
import { encodeBlock } from '../../../../src/recording/format/format.ts';
import { until } from '../../../support/ah.ts';
import { readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { write } from '../../../support/recording/recordings.ts';
import { manyLines } from '../../harness/sessions/ahrFiles.ts';
import { AhrPage } from '../../harness/pages/ahrPage.ts';
import { EditorServer } from '../../harness/editor/editorServer.ts';
import { ensureServer } from '../../harness/editor/installServer.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { packForBrowsers } from '../../harness/editor/packForBrowsers.ts';
import { Workbench } from '../../harness/pages/workbench.ts';

/** Makes VS Code run the extension in the browser: the web bundle, in a worker. */
const IN_BROWSER = { 'remote.extensionKind': { 'ah-time-travel.ah-time-travel': ['web'] } };

describe('the extension in a browser', function () {
  this.timeout(300_000);
  let root: string;
  let server: EditorServer;
  let context: BrowserContext;
  let workbench: Workbench;
  const fileIn = (name: string) => path.join(root, 'workspace', name);

  before(async () => {
    const vsix = packForBrowsers();
    root = mkdtempSync(path.join(tmpdir(), 'ah-w-'));
    mkdirSync(path.join(root, 'workspace'));
    server = await EditorServer.start({
      serverFolder: ensureServer(),
      root,
      isDriven: false,
      extension: { vsix },
      settings: IN_BROWSER,
      env: { AH_DATA_DIR: path.join(root, 'ah') },
    });
    context = await journeyWorld().browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(server.folderUrl(path.join(root, 'workspace')));
    workbench = new Workbench(page);
    await workbench.ready();
  });

  after(async () => {
    await context.close();
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('activates, and refuses to record', async () => {
    await workbench.command('AH: Record Agent');
    await workbench.notification('Recording needs VS Code on Linux or macOS').waitFor();
  });

  it('reads a recording to its last line', async () => {
    const { records, size, finalText } = readPtyFixture('claude');
    const start = { kind: 'resize', tsNs: 0n, ...size } as const;
    writeFileSync(fileIn('claude.ahr'), (await write([start, ...records], 20)).bytes);
    const page = await AhrPage.open(workbench, 'claude.ahr');
    const expected = finalText.trimEnd().split('\n');
    await page.shows(expected.at(-1)!.trimEnd());
    const rows = (await page.rowTexts()).map((row) => row.replace(/^\d+ ?/, ''));
    assert.deepEqual(
      rows,
      expected.map((line) => line.trimEnd()),
    );
    assert.match(await page.headerText(), /claude\.ahr[\s\S]*Terminal/);
  });

  it('follows a recording as it grows and when it is deleted', async () => {
    const file = fileIn('growing.ahr');
    const whole = (await write(manyLines(3000), 1)).bytes;
    writeFileSync(file, whole.subarray(0, whole.length / 2));
    const page = await AhrPage.open(workbench, 'growing.ahr');
    await page.headerShows('This recording is unfinished');
    writeFileSync(file, whole);
    await page.shows('line 3000');
    await until(
      async () => !(await page.headerText()).includes('This recording is unfinished'),
      'its end',
    );
    rmSync(file);
    await page.headerShows('The file was deleted. This was its content.');
  });

  it('survives a decompression bomb', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(100_000_000));
    const facts = { startTsNs: 1n, startByteOffset: 0, recordCount: 1, isLast: true };
    const block = encodeBlock({ ...facts, uncompressedLength: 1000 }, bomb);
    const good = (await write(manyLines(2))).bytes;
    writeFileSync(fileIn('bomb.ahr'), Buffer.concat([good, block]));
    const page = await AhrPage.open(workbench, 'bomb.ahr');
    await page.headerShows('Part of this recording is damaged; the rest is shown.');
    assert.deepEqual(await page.rowTexts(), ['1 line 1', '2 line 2']);
  });
});
