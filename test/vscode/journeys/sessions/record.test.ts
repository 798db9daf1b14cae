import assert from 'node:assert/strict';
import path from 'node:path';
import { outputOf, readRecording, until } from '../../../support/ah.ts';
import { recordAgent, recordCommand, sessionIn } from '../../harness/journeySteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('recording an agent', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  it('goes from the palette to a recording, through a reload', async () => {
    const workbench = await workspace.open();
    await recordAgent(workbench);
    await workbench.type('hello\n');
    await workbench.terminalShows('You said: hello');

    await workbench.page.reload();
    await workbench.ready();
    await workbench.terminalShows('You said: hello');
    await workbench.type('still there?\n');
    await workbench.terminalShows('You said: still there?');

    await workbench.type('bye\n');
    await workbench.terminalShows('Ended with exit code 3');
    await until(
      async () => (await sessionIn(workspace.folder)).meta.state === 'finished',
      'the end',
    );
    const { meta } = await sessionIn(workspace.folder);
    assert.equal(meta.exitCode, 3);
    const output = outputOf((await readRecording(meta.recording)).records).toString();
    for (const words of ['agent ready', 'said: hello', 'said: still there?', 'Goodbye']) {
      assert.equal(output.split(words).length, 2, `once in the recording: ${words}`);
    }
  });

  it('offers the agents that are installed, with version, the last one first', async () => {
    const workbench = await workspace.open();
    await workbench.command('AH: Record Agent');
    await workbench.pick('Codex').waitFor();
    assert.match(await workbench.pick('Codex').innerText(), /6\.5\.4/);
    assert.match(await workbench.pick('Claude Code').innerText(), /9\.8\.7/);
    await workbench.pick('Codex').click();
    await workbench.terminalShows('Fake agent ready');
    await workbench.command('AH: Record Agent');
    await workbench.pick('last used').waitFor();
    assert.equal((await workbench.pickLabels())[0], 'Codex');
    await workbench.page.keyboard.press('Escape');
  });

  it('records any command, and says what became of it', async () => {
    const workbench = await workspace.open();
    await recordCommand(workbench, 'printf "%s-%s\\n" one two; exit 7');
    await workbench.terminalShows('one-two');
    await workbench.terminalShows('Ended with exit code 7');
    await workbench.type('x');
    await workbench.page.locator('.terminal-wrapper.active').waitFor({ state: 'hidden' });
  });

  it('answers Ctrl-C at once while output floods, and follows its size', async () => {
    const workbench = await workspace.open();
    await recordCommand(workbench, 'trap "echo; echo caught; stty size; exit" INT; yes flood');
    await workbench.terminalShows('flood\nflood');
    await workbench.type('');
    await workbench.page.keyboard.press('Control+C');
    await workbench.terminalShows('Ended with exit code');
    const { meta } = await sessionIn(workspace.folder);
    await workbench.terminalShows(`${meta.rows} ${meta.cols}`);
    assert.notDeepEqual([meta.cols, meta.rows], [80, 24]);
  });

  it('opens from the menu beside the terminal’s plus', async () => {
    const workbench = await workspace.open();
    // The editor looks for profiles when it first needs a terminal; a list that is opened before stays empty.
    await workbench.command('Terminal: Create New Terminal');
    await workbench.terminalShows(path.basename(workspace.folder));
    const choose = async () => {
      await workbench.command('Create New Terminal (With Profile)');
      await workbench.pick('Recorded Agent').click();
      await workbench.pick('Claude Code').waitFor();
    };
    await choose();
    await workbench.page.keyboard.press('Escape');
    await choose();
    await workbench.pick('Claude Code').click();
    await workbench.terminalShows('Fake agent ready');
    assert.equal((await sessionIn(workspace.folder)).meta.state, 'running');
    const tab = workbench.terminalTabs().filter({ hasText: 'Claude Code' });
    await tab.locator('.codicon-record').waitFor();
    assert.equal(await tab.locator('.terminal-icon-terminal_ansiRed').count(), 1);
    // Who thinks better of it is told nothing.
    assert.equal(await workbench.page.locator('.notification-list-item').count(), 0);
  });
});
