import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../../support/ah.ts';
import { isTold, toldTexts } from '../../harness/notices.ts';
import { look } from '../../harness/look.ts';
import { recordAgent, sessionIn } from '../../harness/journeySteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import type { Workbench } from '../../harness/workbench.ts';

/** So much silence is "stuck". */
const STUCK_MS = 180_000;
/** Left of it when a window opens. */
const LEFT_MS = 5000;

/** What an agent is told to do, what it ends with, and what the user is told of it. */
const TROUBLE = [
  {
    line: 'fail npm test',
    sign: 'Gave up on npm test.',
    notices: ['fails again and again: npm test', 'has finished: Gave up on npm test.'],
  },
  { line: 'loop ls -l', sign: 'Gave up on ls -l.', notices: ['repeats itself: ls -l'] },
  {
    line: 'ask make release',
    sign: 'Allow make release?',
    notices: ['asks for permission: make release'],
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

  it('happens for each kind, not where it is turned off, and not to who looks at it', async () => {
    const quietFolder = makeQuietFolder();
    const quiet = { workbench: await workspace.open(quietFolder), folder: quietFolder };
    await recordAgent(quiet.workbench);
    const told = { workbench: await workspace.open(), folder: workspace.folder };
    await recordAgent(told.workbench);
    // Who is in its terminal sees it.
    await told.workbench.type('fail npm run lint\n');
    await told.workbench.terminalShows('Gave up on npm run lint.');

    for (const { line, sign, notices } of TROUBLE) {
      // It happens there first: by the time that one window has told of it, the other would have.
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
    await isTold(told.workbench, 'makes the same change and takes it back: src/app.ts');
    await isToldNothing(quiet.workbench);
  });

  it('happens when it has not done anything for three minutes, but not where that is turned off', async () => {
    const quietFolder = makeQuietFolder();
    const quiet = await workspace.open(quietFolder);
    await hangInThePast(quiet, quietFolder);
    const told = await workspace.open();
    await hangInThePast(told, workspace.folder);
    await isTold(told, 'has not done anything for three minutes');
    // It has hung for longer there.
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
    // A terminal that is attached again may be resized, which is written down and so a sign of life.
    await workbench.command('Terminal: Kill the Active Terminal Instance');
    await workbench.notification('keeps running').waitFor();
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
