import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readRecording, until } from '../../../support/ah.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { look } from '../../harness/pages/look.ts';
import { recordAgent } from '../../harness/pages/journeySteps.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

/** Enough for 20 lines in a readable size. */
const LEAST_PLAYER_HEIGHT = 250;
const TIMELINE_TAB = '.tab[aria-label*="Timeline"]';

describe('the timeline beside the terminal', function () {
  this.timeout(300_000);
  const workspace = useWorkspace('room');

  /** A small window with the default settings, unlike that of most journeys. */
  async function open(settings: Record<string, unknown> = {}): Promise<Workbench> {
    const folder = path.join(workspace.folder, '.vscode');
    mkdirSync(folder, { recursive: true });
    const own = { 'ah.terminal.location': 'editor', ...settings };
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(own));
    const workbench = await workspace.open();
    await workbench.page.setViewportSize({ width: 1280, height: 720 });
    return workbench;
  }

  const groups = ({ page }: Workbench) => page.locator('.editor-group-container');

  it('leaves the player its height while the panel is open', async () => {
    const workbench = await open();
    await recordAgent(workbench);
    const timeline = new TimelinePage(workbench);
    await timeline.placed();
    await timeline.assertBesideTerminal();
    await workbench.command('View: Toggle Panel Visibility');
    await workbench.page.locator('.part.panel').waitFor();
    await timeline.settled();
    await look(workbench, 'timeline-beside-terminal');
    const box = async (part: string) => (await timeline.frame.locator(part).first().boundingBox())!;
    const player = await box('.player');
    assert.ok(player.height >= LEAST_PLAYER_HEIGHT, `${player.height} px`);
    for (const part of ['.moments-list', '.track', '.controls .play', '.bar .primary']) {
      assert.ok(await timeline.frame.locator(part).first().isVisible(), part);
    }
  });

  it('leaves the focus in the terminal', async () => {
    const workbench = await open();
    await recordAgent(workbench);
    await new TimelinePage(workbench).placed();
    await workbench.terminalHasFocus();
    await workbench.page.keyboard.type('hello\n');
    await workbench.terminalShows('You said: hello');
  });

  it('leaves the terminal the size that its program has', async () => {
    const workbench = await open();
    await workbench.command('View: Toggle Panel Visibility');
    await workbench.commandAndPick('AH: Record Agent', 'Claude Code');
    await new TimelinePage(workbench).placed();
    const xterm = '.editor-group-container .terminal-wrapper.active .xterm-rows > div';
    const rows = () => workbench.page.locator(xterm).count();
    const before = await rows();
    await workbench.command('View: Toggle Panel Visibility');
    await until(async () => (await rows()) > before, 'the terminal to grow', 10_000);
    const [session] = await journeyWorld().sandbox.catalogue.list();
    const sizes = async () =>
      (await readRecording(session!.meta.recording)).records.filter(
        ({ kind }) => kind === 'resize',
      );
    await until(async () => {
      const last = (await sizes()).at(-1);
      return last?.kind === 'resize' && last.rows === (await rows());
    }, 'the program to have the same size');
  });

  it('opens for an agent from the menu beside the terminal’s plus', async () => {
    const workbench = await open();
    // VS Code loads profiles with the first terminal; before that the list is empty.
    await workbench.command('Terminal: Create New Terminal');
    await workbench.terminalShows(path.basename(workspace.folder));
    await workbench.command('Create New Terminal (With Profile)');
    await workbench.pick('Recorded Agent').click();
    await workbench.pick('Claude Code').click();
    const timeline = new TimelinePage(workbench);
    await timeline.placed();
    await timeline.shows('Fake agent ready');
    await look(workbench, 'timeline-beside-profile');
    await timeline.assertBesideTerminal();
  });

  it('stays closed after a reload once it was closed', async () => {
    const workbench = await open();
    await recordAgent(workbench);
    const timeline = new TimelinePage(workbench);
    await timeline.placed();
    await timeline.frame.locator('.player').click();
    // VS Code learns of a click into a webview later; until then it would close the terminal.
    await groups(workbench).and(workbench.page.locator('.active')).locator(TIMELINE_TAB).waitFor();
    await workbench.command('View: Close Editor');
    await until(async () => (await groups(workbench).count()) === 1, 'the timeline to close');
    await workbench.page.locator(TIMELINE_TAB).waitFor({ state: 'detached' });
    // Unlike a reload of the page, this saves the layout first.
    await Promise.all([
      workbench.page.waitForEvent('load'),
      workbench.command('Developer: Reload Window'),
    ]);
    await workbench.ready();
    await workbench.terminalShows('Fake agent ready');
    await workbench.type('hello\n');
    await workbench.terminalShows('You said: hello');
    assert.equal(await groups(workbench).count(), 1);
    assert.equal(await workbench.page.locator('iframe.webview').count(), 0);
  });

  it('does not open if the setting is off', async () => {
    const workbench = await open({ 'ah.timeline.openBesideTerminal': false });
    await recordAgent(workbench);
    await workbench.type('hello\n');
    await workbench.terminalShows('You said: hello');
    // If the extension opened the timeline by itself, it would be open by now, beside the terminal.
    const timeline = await TimelinePage.open(workbench, 'Claude Code');
    await timeline.shows('You said: hello');
    assert.equal(await groups(workbench).count(), 1);
  });
});
