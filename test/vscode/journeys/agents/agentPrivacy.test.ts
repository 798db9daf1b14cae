import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf, readRecording, until } from '../../../support/ah.ts';
import { placesOf } from '../../../support/recording/secretPlaces.ts';
import { recordAgent, sessionIn } from '../../harness/pages/journeySteps.ts';
import { look } from '../../harness/pages/look.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';
import { Workbench } from '../../harness/pages/workbench.ts';

const SECRET = 'hunter2-correct-horse';

describe('the recorded activity of an agent', function () {
  this.timeout(240_000);
  const workspace = useWorkspace();

  const row = (workbench: Workbench, text: string) =>
    workbench.page.locator('.part.sidebar .monaco-list-row', { hasText: text }).first();
  const open = async () => startIn(await workspace.open());
  async function startIn(workbench: Workbench): Promise<Workbench> {
    await workbench.ready();
    await workbench.showViews();
    await recordAgent(workbench);
    await row(workbench, 'Claude Code').waitFor();
    return workbench;
  }
  const events = async () =>
    readFileSync(
      path.join((await sessionIn(workspace.folder)).folder, 'session.events.jsonl'),
      'utf8',
    );

  it('stops while capture is paused, and continues afterwards', async () => {
    const workbench = await open();
    await workbench.command('AH: Pause Following the Agent');
    await workbench.notification('The agent of “Claude Code” is not followed').waitFor();
    await row(workbench, 'agent not followed').waitFor();
    await look(workbench, 'capture-paused');
    await workbench.type('ask private things\n');
    await workbench.terminalShows('Allow private things?');
    await workbench.type('y\n');
    await workbench.terminalShows('Done with private things.');
    assert.ok(!(await events()).includes('private'));
    await workbench.command('AH: Resume Following the Agent');
    await row(workbench, 'agent not followed').waitFor({ state: 'hidden' });
    await workbench.type('ask make\n');
    await row(workbench, 'needs approval').waitFor();
    assert.ok(!(await events()).includes('private'), 'what came later is there, and this is not');
    await workbench.type('y\n');
  });

  it('is empty if agents are not followed', async () => {
    mkdirSync(path.join(workspace.folder, '.vscode'));
    writeFileSync(
      path.join(workspace.folder, '.vscode/settings.json'),
      JSON.stringify({ 'ah.agents.follow': false }),
    );
    // A new window reads the settings of its folder.
    const { page } = await workspace.open();
    await page.reload();
    const workbench = await startIn(new Workbench(page));
    await workbench.type('ask make\n');
    await workbench.terminalShows('Allow make?');
    await workbench.type('y\n');
    await workbench.terminalShows('Done with make.');
    assert.equal(await row(workbench, 'waiting for you').count(), 0);
    // All events have arrived when the session has ended.
    await workbench.type('bye\n');
    await row(workbench, 'Today').waitFor();
    const { folder } = await sessionIn(workspace.folder);
    assert.ok(!existsSync(path.join(folder, 'session.events.jsonl')));
    assert.ok(!existsSync(path.join(folder, 'agent')));
  });

  it('loses a text by "Scrub Text from Session…"', async () => {
    const workbench = await open();
    await workbench.type(`ask login ${SECRET}\n`);
    await row(workbench, 'needs approval').waitFor();
    await workbench.type('y\n');
    await row(workbench, 'waiting for you').waitFor();
    await workbench.expandPane('Activity');
    await row(workbench, `login ${SECRET}`).waitFor();
    await workbench.type('bye\n');
    await row(workbench, 'Today').waitFor();
    const session = await sessionIn(workspace.folder);
    await until(
      async () => (await sessionIn(workspace.folder)).meta.state === 'finished',
      'the end of the session',
    );
    assert.ok((await placesOf([session.folder], SECRET)).length >= 2, 'it was there');

    await workbench.command('AH: Open Transcript');
    const transcript = workbench.page.locator('.editor-container .view-lines', { hasText: SECRET });
    await transcript.first().waitFor();
    await workbench.command('AH: Open Timeline');
    const tab = workbench.page.locator('.tabs-container .tab', { hasText: 'Claude Code' });
    await until(async () => (await tab.count()) === 2, 'the timeline beside the transcript');

    await workbench.command('AH: Scrub Text from Session…');
    const box = workbench.page.locator('.quick-input-widget input').first();
    await until(async () => (await box.getAttribute('type')) === 'password', 'the hidden box');
    await box.fill('abc');
    await workbench.page.locator('.quick-input-message', { hasText: 'At least 4' }).waitFor();
    await box.fill(SECRET);
    await workbench.page.keyboard.press('Enter');
    const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'Remove this text' });
    await dialog.waitFor();
    await look(workbench, 'scrub-question');
    await dialog.locator('.monaco-button', { hasText: 'Remove Permanently' }).click();
    await workbench.notification('Text removed.').waitFor({ timeout: 60_000 });
    await look(workbench, 'scrub-done');
    assert.deepEqual(await placesOf([session.folder], SECRET), []);
    const { records } = await readRecording(session.meta.recording);
    assert.ok(outputOf(records).includes(`Done with login ${'*'.repeat(SECRET.length)}.`));
    // The window closes or refreshes everything that shows the text.
    await workbench.page.locator('.terminal-wrapper').first().waitFor({ state: 'detached' });
    await until(async () => (await tab.count()) === 0, 'what shows the session to go');
    await row(workbench, `login ${'*'.repeat(SECRET.length)}`).waitFor();
    assert.equal(await row(workbench, SECRET).count(), 0);
  });
});
