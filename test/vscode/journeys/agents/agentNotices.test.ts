import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../../support/ah.ts';
import { isTold, toldTexts } from '../../harness/pages/notices.ts';
import { look } from '../../harness/pages/look.ts';
import { recordAgent, sessionIn } from '../../harness/pages/journeySteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';

/** Inactivity after which an agent counts as stuck. */
const STUCK_MS = 180_000;
/** How long the agent has to stay inactive after the window has opened. */
const LEFT_MS = 5000;

/**
 * For each kind of notification: the instruction, the agent's last output, and the expected texts.
 */
const TROUBLE = [
  {
    line: 'fail npm test',
    sign: 'Gave up on npm test.',
    notices: ['keeps failing: npm test', 'has finished: Gave up on npm test.'],
  },
  { line: 'loop ls -l', sign: 'Gave up on ls -l.', notices: ['repeats itself: ls -l'] },
  {
    line: 'ask make release',
    sign: 'Allow make release?',
    notices: ['needs approval: make release'],
  },
];

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

describe('notifications about an agent', function () {
  this.timeout(900_000);
  const workspace = useWorkspace();

  /** Makes an agent do something while its terminal is not in focus. */
  async function meanwhile({ workbench, folder }: Window, line: string): Promise<void> {
    const sign = `left-${line.replace(/\W/g, '')}`;
    await workbench.type(`when ${sign} ${line}\n`);
    await workbench.command('File: New Untitled Text File');
    await workbench.page.keyboard.type('Something else');
    writeFileSync(path.join(folder, sign), '');
  }

  it('appear for each kind, unless turned off or the terminal has the focus', async () => {
    const quietFolder = makeQuietFolder();
    const quiet = { workbench: await workspace.open(quietFolder), folder: quietFolder };
    await recordAgent(quiet.workbench);
    const told = { workbench: await workspace.open(), folder: workspace.folder };
    await recordAgent(told.workbench);
    // The terminal has the focus, so this causes no notification.
    await told.workbench.type('fail npm run lint\n');
    await told.workbench.terminalShows('Gave up on npm run lint.');

    for (const { line, sign, notices } of TROUBLE) {
      // Run the window with notifications off first: by the time that the other window shows its
      // notification, this one would have shown its own.
      for (const window of [quiet, told]) {
        await meanwhile(window, line);
        await window.workbench.terminalShows(sign);
      }
      for (const text of notices) await isTold(told.workbench, text);
    }
    await look(told.workbench, 'notices');
    for (const text of await toldTexts(told.workbench)) assert.doesNotMatch(text, /npm run lint/);

    for (const { workbench } of [quiet, told]) await workbench.type('y\n');
    await told.workbench.terminalShows('Done with make release.');
    await recordAgent(told.workbench);
    await meanwhile(quiet, 'revert src/app.ts');
    await quiet.workbench.terminalShows('Gave up on src/app.ts.');
    await meanwhile(told, 'revert src/app.ts');
    await isTold(told.workbench, 'keeps making and reverting the same change: src/app.ts');
    await isToldNothing(quiet.workbench);
  });

  it('appear after three minutes without activity, unless turned off', async () => {
    const quietFolder = makeQuietFolder();
    const quiet = await workspace.open(quietFolder);
    await hangInThePast(quiet, quietFolder);
    const told = await workspace.open();
    await hangInThePast(told, workspace.folder);
    await isTold(told, 'has been inactive for three minutes');
    // The agent of the other window, whose notifications are off, has been stuck for longer.
    await isToldNothing(quiet);
  });

  /** Turns all notifications off. */
  function makeQuietFolder(): string {
    const folder = `${workspace.folder}-quiet`;
    mkdirSync(path.join(folder, '.vscode'), { recursive: true });
    writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(ALL_OFF));
    return folder;
  }

  /** Records an agent that has been inactive for almost three minutes when the window opens. */
  async function hangInThePast(workbench: Workbench, folder: string): Promise<void> {
    await recordAgent(workbench);
    await workbench.type('hang\n');
    await workbench.terminalShows('Thinking');
    const session = await sessionIn(folder);
    const file = path.join(session.folder, 'session.events.jsonl');
    const hasBegun = () => existsSync(file) && readFileSync(file, 'utf8').includes('user.prompt');
    await until(hasBegun, 'what it began');
    // Attaching may resize the terminal, which is recorded and counts as activity.
    await workbench.command('Terminal: Kill the Active Terminal Instance');
    await workbench.notification('is still running').waitFor();
    const agedNs = BigInt(STUCK_MS - LEFT_MS) * 1_000_000n;
    const older = (_: string, name: string, ns: string) => `${name}${BigInt(ns) - agedNs}`;
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("timeNs":)(\d+)/g, older));
    const printed = new Date(Date.now() - STUCK_MS + LEFT_MS);
    utimesSync(session.meta.recording, printed, printed);
    await workbench.page.reload();
    await workbench.ready();
  }
});

async function isToldNothing(workbench: Workbench): Promise<void> {
  assert.deepEqual(await toldTexts(workbench), [], 'where all is turned off');
  await workbench.page.locator('.notifications-center', { hasText: 'No new' }).waitFor();
}
