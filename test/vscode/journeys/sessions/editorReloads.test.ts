import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../../support/ah.ts';
import { recordAgent } from '../../harness/pages/journeySteps.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('terminals in the editor area', function () {
  this.timeout(300_000);
  const workspace = useWorkspace('columns');

  async function open(settings: Record<string, unknown> = {}): Promise<Workbench> {
    const folder = path.join(workspace.folder, '.vscode');
    mkdirSync(folder, { recursive: true });
    const own = { 'ah.terminal.location': 'editor', ...settings };
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(own));
    return workspace.open();
  }

  it('come back in their columns, each once, after every reload', async () => {
    const workbench = await open();
    await recordAgent(workbench);
    await new TimelinePage(workbench).placed();
    await recordAgent(workbench, 'Codex');
    const expected = [
      ['Claude Code', 'Codex'],
      ['Claude Code · Timeline', 'Codex · Timeline'],
    ];
    await showsTabs(workbench, expected);
    // The second reload starts with the focus in another column than the first.
    for (let i = 0; i < 2; i++) {
      await reload(workbench);
      await showsTabs(workbench, expected);
      await workbench.terminalShows('Fake agent ready');
      await workbench.page.locator('.tab', { hasText: 'Codex · Timeline' }).click();
    }
    await workbench.type(`hello\n`);
    await workbench.terminalShows('You said: hello');
  });

  it('leave no dead tab if another editor is slow to come back', async () => {
    const workbench = await open({ 'ah.timeline.openBesideTerminal': false });
    await recordAgent(workbench);
    await recordAgent(workbench, 'Codex');
    await workbench.command('Test: Open Slow File Beside');
    const expected = [['Claude Code', 'Codex'], ['slow']];
    await showsTabs(workbench, expected);
    await workbench.page.addInitScript(WAIT_FOR_SLOW_EDITORS);
    await reload(workbench);
    await showsTabs(workbench, expected);
    await workbench.terminalShows('Fake agent ready');
    for (const name of ['Claude Code', 'Codex']) {
      await workbench.page.locator('.tab', { hasText: name }).click();
      await workbench.type(`${name}\n`);
      await workbench.terminalShows(`You said: ${name}`);
    }
    await showsTabs(workbench, expected);
  });
});

/**
 * Runs in the page. VS Code waits 2 s for slow editors before it can show terminals in tabs. Here
 * it waits until the extension has surely started.
 */
const WAIT_FOR_SLOW_EDITORS = `{
  const original = window.setTimeout;
  window.setTimeout = (run, ms, ...more) => original(run, ms === 2000 ? 12000 : ms, ...more);
}`;

/** Unlike a reload of the page, this saves the layout first. */
async function reload(workbench: Workbench): Promise<void> {
  await Promise.all([
    workbench.page.waitForEvent('load'),
    workbench.command('Developer: Reload Window'),
  ]);
  await workbench.ready();
}

/** Waits until the columns of the editor area have exactly these tabs. */
async function showsTabs({ page }: Workbench, expected: readonly string[][]): Promise<void> {
  let shown: unknown;
  await until(
    async () => {
      shown = await page.evaluate(COLUMNS);
      return JSON.stringify(shown) === JSON.stringify(expected);
    },
    'the tabs in their columns',
    30_000,
  ).catch(() => assert.deepEqual(shown, expected));
}

/** Runs in the page. */
const COLUMNS = `[...document.querySelectorAll('.editor-group-container')].map((group) =>
  [...group.querySelectorAll('.tab .label-name')].map((label) => label.textContent).sort())`;
