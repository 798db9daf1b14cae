import assert from 'node:assert/strict';
import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { until } from '../../../support/ah.ts';
import { readPtyFixture } from '../../../support/terminal/ptyFixture.ts';
import { write } from '../../../support/recording/recordings.ts';
import { recordCommand } from '../../harness/pages/journeySteps.ts';
import { AhrPage } from '../../harness/pages/ahrPage.ts';
import { colorfulRecords, manyLines } from '../../harness/sessions/ahrFiles.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('the page of a recording', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();
  const fileIn = (name: string) => path.join(workspace.folder, name);

  it('shows facts, colored lines and moments', async () => {
    writeFileSync(fileIn('colors.ahr'), (await write(colorfulRecords())).bytes);
    const page = await AhrPage.reopen(await workspace.open(), 'colors.ahr');
    await page.shows('underlined');
    assert.match(await page.headerText(), /colors\.ahr[\s\S]*Terminal\s*60 × 10[\s\S]*Moments\s*1/);
    const red = page.run('red words');
    const theme = await page.themeColor('--vscode-terminal-ansiRed');
    assert.equal(await page.style(red, 'color'), theme);
    assert.equal(await page.style(page.run('true color'), 'color'), 'rgb(1, 200, 3)');
    assert.equal(await page.style(page.run('palette'), 'background-color'), 'rgb(255, 135, 0)');
    assert.equal(await page.style(page.run('bold'), 'font-weight'), '700');
    assert.match(await page.style(page.run('underlined'), 'text-decoration-line'), /underline/);
    const inverse = page.run('inverse');
    assert.equal(
      await page.style(inverse, 'color'),
      await page.style(page.lines, 'background-color'),
    );
    // Markup in a recording stays text.
    await page.shows('<img src=x onerror=alert(1)> & <b>text</b>');
    assert.equal(await page.frame.locator('#lines img, #lines b').count(), 0);
    assert.deepEqual((await page.rowTexts()).slice(0, 3), ['1 first', 'a <moment>', '2 red words']);
  });

  it('follows a session while it is recorded', async () => {
    const workbench = await workspace.open();
    await recordCommand(workbench, 'for i in 1 2 3; do read x; echo "got $x"; done');
    await workbench.type('one\n');
    await workbench.terminalShows('got one');
    await workbench.command('AH: Open Recording');
    const page = new AhrPage(workbench);
    await page.shows('got one');
    await page.headerShows('Recording in progress');
    await workbench.type('two\n');
    await page.shows('got two');
    await workbench.type('three\n');
    await page.shows('got three');
    await until(
      async () => !(await page.headerText()).includes('Recording in progress'),
      'its end',
    );
    assert.match(await page.headerText(), /Exit code\s*0/);
    assert.equal((await page.rowTexts()).filter((row) => row.endsWith('got two')).length, 1);
  });

  it('reports that the file grows, is replaced, truncated or deleted', async () => {
    const { records } = readPtyFixture('codex');
    const whole = (await write(records, 20)).bytes;
    const file = fileIn('changing.ahr');
    writeFileSync(file, whole.subarray(0, whole.length / 2));
    const page = await AhrPage.reopen(await workspace.open(), 'changing.ahr');
    await page.headerShows('This recording is unfinished');
    await page.headerShows(`of ${Math.floor(whole.length / 2)} bytes are intact.`);
    const before = await page.rowTexts();
    writeFileSync(file, whole);
    await until(
      async () => !(await page.headerText()).includes('This recording is unfinished'),
      'the rest',
    );
    // The page requests lines after it was notified of them.
    await until(async () => !isDeepStrictEqual(await page.rowTexts(), before), 'other lines');
    writeFileSync(`${file}.new`, (await write(manyLines(3))).bytes);
    renameSync(`${file}.new`, file);
    await page.shows('line 3');
    assert.deepEqual(await page.rowTexts(), ['1 line 1', '2 line 2', '3 line 3']);
    rmSync(file);
    await page.headerShows('The file was deleted. This was its content.');
    assert.equal((await page.rowTexts()).length, 3);
    writeFileSync(file, (await write(manyLines(2))).bytes);
    await until(async () => (await page.rowTexts()).length === 2, 'its return');
    truncateSync(file, 20);
    await page.headerShows('The end of this recording is missing');
    writeFileSync(file, 'not a recording');
    await page.headerShows('This is not a recording.');
  });

  it('shows the end of a million lines at once, and all of them on demand', async () => {
    writeFileSync(fileIn('long.ahr'), (await write(manyLines(1_000_000))).bytes);
    const page = await AhrPage.reopen(await workspace.open(), 'long.ahr');
    await page.shows('line 1000000', 90_000);
    assert.equal(
      (await page.rowTexts()).some((row) => row.endsWith('line 2')),
      false,
    );
    await page.frame.locator('#show-all').press('Enter');
    // Lines arrive in parts: wait until the first one is at the top.
    await until(
      async () => {
        await page.lines.press('Home');
        return (await page.rowTexts()).some((row) => row.endsWith('line 2'));
      },
      'the first lines',
      60_000,
    );
    await page.lines.press('End');
    await page.shows('line 1000000');
    const inPage = await page.frame.locator('.row').count();
    assert.ok(inPage > 200 && inPage < 3000, `${inPage} rows in the page`);
  });
});
