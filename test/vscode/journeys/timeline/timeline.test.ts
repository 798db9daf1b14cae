import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { write } from '../../../support/recording/recordings.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { isTold } from '../../harness/pages/notices.ts';
import { recordAgent } from '../../harness/pages/journeySteps.ts';
import { placeShortSession } from '../../harness/sessions/agentSession.ts';
import { placeAgentSession, placeSession } from '../../harness/sessions/placeSession.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('the timeline', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  /** The CLI's screen at the timeline's position. */
  async function replayed(id: string, byteOffset: number): Promise<string> {
    const { sandbox } = journeyWorld();
    const args = ['agent', 'replay', '--session', id, '--at', `@${byteOffset}`, '--no-colors'];
    const { stdout, exitCode, stderr } = await sandbox.run(...args);
    assert.equal(exitCode, 0, stderr);
    const lines = stdout.toString().split('\n');
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  async function assertExact(timeline: TimelinePage, id: string): Promise<number> {
    const byteOffset = await timeline.byteOffset();
    assert.equal(await timeline.text(), await replayed(id, byteOffset), `at @${byteOffset}`);
    return byteOffset;
  }

  it('shows the exact screen at any moment, by mouse and keyboard', async () => {
    const session = await placeAgentSession(journeyWorld().sandbox, workspace.folder, 'codex');
    const timeline = await TimelinePage.open(await workspace.open(), session.name);
    assert.equal(await timeline.byteOffset(), session.totalBytes);
    await assertExact(timeline, session.id);
    const places = new Set<number>();
    for (const share of [0.1, 0.37, 0.5, 0.82]) {
      await timeline.click(share);
      places.add(await assertExact(timeline, session.id));
    }
    for (const key of ['j', 'j', 'k', 'PageUp', 'ArrowRight', 'Home', 'PageDown', 'G']) {
      await timeline.press(key);
      places.add(await assertExact(timeline, session.id));
    }
    assert.ok(places.size >= 9, `went to ${places.size} places`);
    assert.equal(await timeline.byteOffset(), session.totalBytes);
  });

  it('opens from VS Code’s command line', async () => {
    const records = recordsOf([40, 5], 'by command');
    writeFileSync(path.join(workspace.folder, 'given.ahr'), (await write(records)).bytes);
    const workbench = await workspace.open();
    await workbench.command('Terminal: Create New Terminal');
    await workbench.terminalShows('#');
    await workbench.type('code-server given.ahr\n');
    const timeline = new TimelinePage(workbench);
    await timeline.placed();
    assert.equal(await timeline.text(), 'by command');
  });

  it('plays, pauses and changes speed', async () => {
    const session = await placeAgentSession(journeyWorld().sandbox, workspace.folder, 'gemini');
    const timeline = await TimelinePage.open(await workspace.open(), session.name);
    await timeline.press('g');
    assert.equal(await timeline.byteOffset(), 0);
    await timeline.frame.locator('.controls select').selectOption('2');
    await timeline.frame.locator('.player').focus();
    await timeline.workbench.page.keyboard.press('Space');
    await until(async () => (await timeline.byteOffset()) > 5000, 'it to have played a part');
    await timeline.workbench.page.keyboard.press('Space');
    await timeline.settled();
    const byteOffset = await assertExact(timeline, session.id);
    assert.ok(byteOffset < session.totalBytes, 'it was paused on the way');
    await timeline.frame.locator('.controls select').selectOption('32');
    await timeline.frame.locator('.player').focus();
    await timeline.workbench.page.keyboard.press('Space');
    await until(
      async () => (await timeline.byteOffset()) === session.totalBytes,
      'it to have played to the end',
      60_000,
    );
    await timeline.settled();
    await assertExact(timeline, session.id);
  });

  it('finds overwritten output, and output that was visible only briefly', async () => {
    const flood = Array.from({ length: 5000 }, (_, line) => `number ${line};\r\n`).join('');
    const records = recordsOf(
      ...[[60, 12] as const, 'the secret plan\r\n', '\x1b[A\x1b[2Kthe other plan\r\n', flood],
      ...['\x1b[2J\x1b[H', 'at last'],
    );
    const size = { cols: 60, rows: 12 };
    const session = { name: 'hidden text', size, records };
    await placeSession(journeyWorld().sandbox, workspace.folder, session);
    const timeline = await TimelinePage.open(await workspace.open(), session.name);
    assert.equal(await timeline.text(), 'at last');
    const { keyboard } = timeline.workbench.page;
    await timeline.press('/');
    await keyboard.type('SECRET');
    await keyboard.press('Enter');
    await timeline.shows('the secret plan');
    await timeline.frame.locator('.search-result', { hasText: '1 of 1' }).waitFor();
    assert.equal(await timeline.frame.locator('.hit').count(), 1);
    await timeline.frame.locator('.search-box input').fill('number 1234;');
    await timeline.frame.locator('.search-result', { hasText: /^1$/ }).waitFor();
    await timeline.press('n');
    await timeline.shows('number 1234;');
    await timeline.press('/');
    await keyboard.type('(');
    await timeline.frame.locator('.search-option').nth(1).click();
    await timeline.frame.locator('.search-result', { hasText: 'not a regular' }).waitFor();
  });

  it('follows a running session, and stops following', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type('first words\n');
    await workbench.terminalShows('You said: first words');
    await workbench.command('AH: Open Timeline');
    const timeline = new TimelinePage(workbench);
    await timeline.shows('You said: first words');
    await timeline.frame.locator('.state.is-live').waitFor();
    await workbench.type('second words\n');
    await timeline.shows('You said: second words');
    await timeline.press('Home');
    await workbench.type('third words\n');
    await workbench.terminalShows('You said: third words');
    await timeline.settled();
    assert.equal((await timeline.text()).includes('third words'), false, 'it stays where it is');
    await timeline.press('G');
    await timeline.shows('You said: third words');
    await workbench.type('bye\n');
    await timeline.shows('Goodbye');
    await timeline.frame.locator('.state:not(.is-live)').waitFor();
  });

  it('restores its position after a reload', async () => {
    const session = await placeAgentSession(journeyWorld().sandbox, workspace.folder, 'claude');
    const workbench = await workspace.open();
    const timeline = await TimelinePage.open(workbench, session.name);
    await timeline.click(0.6);
    await timeline.press('>');
    await timeline.press('+');
    const place = await timeline.byteText();
    const position = await timeline.positionText();
    const text = await timeline.text();
    await workbench.hasKept(/zoom[\\"]*:\{/);
    await workbench.page.reload();
    await workbench.ready();
    const again = new TimelinePage(workbench);
    await again.placed();
    assert.equal(await again.byteText(), place);
    assert.equal(await again.positionText(), position);
    assert.equal(await again.text(), text);
    assert.equal(await again.frame.locator('.controls select').inputValue(), '2');
    assert.equal(await again.frame.locator('[aria-label^="Zoom to fit"]').isDisabled(), false);
  });

  it('lists the agent’s moments, and goes to them by mouse and keyboard', async () => {
    const records = recordsOf([60, 10], 'first step\r\n', 'second step\r\n', 'third step');
    const size = { cols: 60, rows: 10 };
    const session = { name: 'with moments', size, records };
    const placed = await placeSession(journeyWorld().sandbox, workspace.folder, session);
    const base = '"source":"hook","confidence":"high","agent":"claudeCode"';
    const call = '"tool":"Bash","callId":"1"';
    const lines = [
      `{"id":"p","kind":"user.prompt",${base},"timeNs":${placed.startedAtNs},"byte":12,"text":"fix it"}`,
      `{"id":"c","kind":"tool.call",${base},"timeNs":${placed.startedAtNs},"byte":25,${call},"action":"shell","input":{},"title":"npm test"}`,
      `{"id":"r","kind":"tool.result",${base},"timeNs":${placed.startedAtNs},${call},"outcome":"failed","summary":"","files":[]}`,
    ];
    const events = path.join(path.dirname(placed.recording), 'session.events.jsonl');
    writeFileSync(events, `${lines.join('\n')}\n`);
    const timeline = await TimelinePage.open(await workspace.open(), session.name);
    const titles = timeline.frame.locator('.moment-title');
    await titles.first().waitFor();
    assert.deepEqual(await titles.allTextContents(), ['fix it', 'Bash npm test']);
    await titles.first().click();
    await timeline.settled();
    assert.equal(await timeline.text(), 'first step');
    await timeline.press(']');
    assert.equal(await timeline.text(), 'first step\nsecond step');
    await timeline.frame
      .locator('.moment[aria-current] .moment-title', { hasText: 'Bash' })
      .waitFor();
    await timeline.frame.locator('.filters .chip', { hasText: 'Errors' }).click();
    await titles.filter({ hasText: 'fix it' }).waitFor({ state: 'detached' });
    assert.deepEqual(await titles.allTextContents(), ['Bash npm test']);
  });

  it('opens from a search of all sessions', async () => {
    const { sandbox } = journeyWorld();
    const size = { cols: 60, rows: 10 };
    for (const [name, word] of [
      ['one session', 'raspberry'],
      ['other session', 'blueberry'],
    ] as const) {
      const records = recordsOf([60, 10], `${word} pie`, '\x1b[2J\x1b[Hnothing left');
      await placeSession(sandbox, workspace.folder, { name, size, records });
    }
    const workbench = await workspace.open();
    await workbench.command('AH: Search Sessions…');
    await workbench.answer('blueberry');
    const found = workbench.pick('blueberry pie');
    assert.equal(await found.locator('.highlight').first().innerText(), 'blueberry');
    await found.click();
    const timeline = new TimelinePage(workbench);
    await timeline.shows('blueberry pie');
    assert.equal(await timeline.frame.locator('h1').innerText(), 'other session');
  });

  it('copies a link to a moment, says so, and goes there by the link', async () => {
    const session = await placeShortSession(
      journeyWorld().sandbox,
      workspace.folder,
      'linked session',
    );
    const workbench = await workspace.open();
    const timeline = await TimelinePage.open(workbench, session.name);
    const moment = timeline.frame.locator('.moment', { hasText: 'try again' });
    await moment.locator('.moment-go').click();
    await timeline.settled();
    const byteOffset = await timeline.byteOffset();
    assert.ok(byteOffset < session.totalBytes);
    await moment.locator('[aria-label="Copy link to this moment"]').click();
    await isTold(workbench, 'Copied link to this moment.');
    const link = await workbench.page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(link, /\/timeline\?session%3D/);
    await workbench.command('View: Close All Editors');
    await workbench.command('Developer: Open URL');
    await workbench.answer(link);
    await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Open' }).click();
    const opened = new TimelinePage(workbench);
    await opened.placed();
    assert.equal(await opened.byteOffset(), byteOffset);
  });

  it('reports that its recording was deleted', async () => {
    const session = await placeAgentSession(journeyWorld().sandbox, workspace.folder, 'claude');
    const timeline = await TimelinePage.open(await workspace.open(), session.name);
    const text = await timeline.text();
    rmSync(session.recording);
    await timeline.frame.locator('.notice', { hasText: 'no longer exists' }).waitFor();
    assert.equal(await timeline.text(), text);
  });

  it('neither runs, opens nor loads content of a recording', async () => {
    const evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    const snapshot: AhrRecord = {
      kind: 'snapshot',
      tsNs: 9_000_000n,
      snapshotId: 1n,
      anchorByte: 10,
      label: evil,
    };
    const records = [
      ...recordsOf(
        [100, 10],
        `\x1b]0;${evil}\x07${evil}\r\n`,
        `\x1b]8;;javascript:window.hacked=1\x07click me\x1b]8;;\x07\r\n`,
        '\x1b]52;c;aGFja2Vk\x07\x1b[6n\x1b[c',
      ),
      snapshot,
    ];
    const session = { name: evil.slice(0, 40), size: { cols: 100, rows: 10 }, records };
    await placeSession(journeyWorld().sandbox, workspace.folder, session);
    const workbench = await workspace.open();
    await workbench.page.evaluate("navigator.clipboard.writeText('mine')");
    const pages = workbench.page.context().pages().length;
    const timeline = await TimelinePage.open(workbench, session.name);
    await timeline.shows('click me');
    const link = (await timeline.frame.locator('.player .xterm-rows > div').nth(1).boundingBox())!;
    await workbench.page.keyboard.down('Control');
    await workbench.page.mouse.click(link.x + 20, link.y + link.height / 2);
    await workbench.page.keyboard.up('Control');
    await timeline.frame.locator('.marker').hover();
    await timeline.settled();
    const body = timeline.frame.locator('body');
    assert.equal(await body.evaluate('String(window.hacked)'), 'undefined');
    // The page's script, the one that says if that is missing, and VS Code's webview script.
    assert.equal(await timeline.frame.locator('script').count(), 3);
    const active = 'img, a[href]:not(.load-failure a), iframe, object';
    assert.equal(await timeline.frame.locator(active).count(), 0);
    assert.equal(workbench.page.context().pages().length, pages);
    assert.equal(await workbench.page.evaluate('navigator.clipboard.readText()'), 'mine');
  });
});
