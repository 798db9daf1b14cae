import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../../support/ah.ts';
import { look } from '../../harness/look.ts';
import { recordAgent, sessionIn } from '../../harness/journeySteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/workbench.ts';

/** So much silence is "stuck". */
const STUCK_MS = 180_000;
/** Left of it when a window opens. */
const LEFT_MS = 5000;
/** A notice is told a second after what it tells of: whoever stays silent for longer tells nothing. */
const SETTLED_MS = 3000;

const ALL_OFF = Object.fromEntries(
  ['approval', 'finished', 'failing', 'looping', 'stuck'].map((kind) => [
    `ah.notify.${kind}`,
    false,
  ]),
);

interface Window {
  readonly workbench: Workbench;
  readonly folder: string;
}

describe('being told of an agent', function () {
  this.timeout(900_000);
  const workspace = useWorkspace();

  /** Has an agent do something when the person is elsewhere. */
  async function meanwhile({ workbench, folder }: Window, line: string): Promise<void> {
    const sign = `left-${line.replace(/\W/g, '')}`;
    await workbench.type(`when ${sign} ${line}\n`);
    await workbench.command('File: New Untitled Text File');
    await workbench.page.keyboard.type('Something else');
    writeFileSync(path.join(folder, sign), '');
  }

  /** All that can happen, but for what takes minutes. */
  async function trouble(window: Window): Promise<void> {
    for (const [line, sign] of [
      ['fail npm test', 'Gave up on npm test.'],
      ['loop ls -l', 'Gave up on ls -l.'],
      ['ask make release', 'Allow make release?'],
    ] as const) {
      await meanwhile(window, line);
      await window.workbench.terminalShows(sign);
      await window.workbench.page.waitForTimeout(SETTLED_MS);
    }
  }

  it('happens for each kind, not where it is turned off, and not to who looks at it', async () => {
    const quietFolder = makeQuietFolder();
    const quiet = await workspace.open(quietFolder);
    await recordAgent(quiet);

    const told = await workspace.open();
    await recordAgent(told);
    // Who is in its terminal sees it.
    await told.type('fail npm run lint\n');
    await told.terminalShows('Gave up on npm run lint.');
    await told.page.waitForTimeout(SETTLED_MS);
    assert.equal(await toasts(told), 0, 'in its terminal');

    await trouble({ workbench: told, folder: workspace.folder });
    for (const text of [
      'fails again and again: npm test',
      'has finished: Gave up on npm test.',
      'repeats itself: ls -l',
      'asks for permission: make release',
    ]) {
      await isTold(told, text);
    }
    await look(told, 'notices');
    await told.type('y\n');
    await told.terminalShows('Done with make release.');
    await recordAgent(told);
    await meanwhile({ workbench: told, folder: workspace.folder }, 'revert src/app.ts');
    await isTold(told, 'makes the same change and takes it back: src/app.ts');

    await trouble({ workbench: quiet, folder: quietFolder });
    await quiet.type('n\n');
    await meanwhile({ workbench: quiet, folder: quietFolder }, 'revert src/app.ts');
    await quiet.terminalShows('Gave up on src/app.ts.');

    await quiet.page.waitForTimeout(SETTLED_MS);
    await isToldNothing(quiet);
  });

  it('happens when it has not done anything for three minutes, but not where that is turned off', async () => {
    const quietFolder = makeQuietFolder();
    const quiet = await workspace.open(quietFolder);
    await hangInThePast(quiet, quietFolder);
    const told = await workspace.open();
    await hangInThePast(told, workspace.folder);
    await isTold(told, 'has not done anything for three minutes');
    // It has hung for longer there.
    await quiet.page.waitForTimeout(SETTLED_MS);
    await isToldNothing(quiet);
  });

  /** Turns every notice off. */
  function makeQuietFolder(): string {
    const folder = `${workspace.folder}-quiet`;
    mkdirSync(path.join(folder, '.vscode'), { recursive: true });
    writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(ALL_OFF));
    return folder;
  }

  /** An agent that began something almost three minutes ago, and has been silent since; the window that opens finds it so. */
  async function hangInThePast(workbench: Workbench, folder: string): Promise<void> {
    await recordAgent(workbench);
    await workbench.type('hang\n');
    await workbench.terminalShows('Thinking');
    const session = await sessionIn(folder);
    const file = path.join(session.folder, 'session.events.jsonl');
    const hasBegun = () => existsSync(file) && readFileSync(file, 'utf8').includes('user.prompt');
    await until(hasBegun, 'what it began');
    const agedNs = BigInt(STUCK_MS - LEFT_MS) * 1_000_000n;
    const older = (_: string, name: string, ns: string) => `${name}${BigInt(ns) - agedNs}`;
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("timeNs":)(\d+)/g, older));
    const printed = new Date(Date.now() - STUCK_MS + LEFT_MS);
    await workbench.page.reload();
    utimesSync(session.meta.recording, printed, printed);
    await workbench.ready();
  }
});

/** In the list of all notifications: what is shown for a moment may be gone when a test looks. */
async function isTold(workbench: Workbench, text: string, timeoutMs = 60_000): Promise<void> {
  const list = workbench.page.locator('.notifications-center .notification-list-item');
  if (!(await workbench.page.locator('.notifications-center.visible').isVisible())) {
    await workbench.command('Notifications: Show Notifications');
  }
  await list.filter({ hasText: text }).first().waitFor({ timeout: timeoutMs });
}

async function isToldNothing(workbench: Workbench): Promise<void> {
  assert.equal(await toasts(workbench), 0, 'where all is turned off');
  await workbench.command('Notifications: Show Notifications');
  await workbench.page.locator('.notifications-center', { hasText: 'No new' }).waitFor();
}

function toasts(workbench: Workbench): Promise<number> {
  return workbench.page.locator('.notifications-toasts .notification-list-item').count();
}
