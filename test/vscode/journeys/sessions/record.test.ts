import assert from 'node:assert/strict';
import path from 'node:path';
import { outputOf, readRecording, until } from '../../../support/ah.ts';
import { recordAgent, recordCommand, sessionIn } from '../../harness/pages/journeySteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

describe('recording an agent', function () {
  this.timeout(300_000);
  const workspace = useWorkspace();

  it('starts from the palette and continues after a reload', async () => {
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

  it('offers installed agents with version, the last used first', async () => {
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

  it('starts an agent with arguments, and remembers them', async () => {
    const workbench = await workspace.open();
    await workbench.commandAndPick('AH: Record Agent', 'Claude Code with Arguments…');
    await workbench.answer("--permission-mode default --add-dir 'a b'");
    await workbench.terminalShows('Fake agent ready');
    const { meta } = await sessionIn(workspace.folder);
    assert.deepEqual(meta.cmd.slice(1), ['--permission-mode', 'default', '--add-dir', 'a b']);
    await workbench.type('ask ls\n');
    await workbench.terminalShows('Allow ls?');
    await workbench.page.locator('.statusbar-item', { hasText: 'needs approval' }).waitFor();
    await workbench.command('AH: Record Agent');
    const again = workbench.pick('Claude Code with Arguments…');
    await again.waitFor();
    assert.match(await again.innerText(), /--permission-mode default --add-dir 'a b'/);
    await workbench.page.keyboard.press('Escape');
  });

  it('follows an agent in a custom command', async () => {
    const workbench = await workspace.open();
    await recordCommand(workbench, 'X=1 claude --model opus');
    await workbench.terminalShows('Fake agent ready');
    await workbench.type('ask ls\n');
    await workbench.terminalShows('Allow ls?');
    await workbench.page.locator('.statusbar-item', { hasText: 'needs approval' }).waitFor();
  });

  it('says which agents are missing, and how to install them', async () => {
    const workbench = await workspace.open();
    await workbench.command('AH: Record Agent');
    const row = workbench.pick('Gemini CLI');
    await row.waitFor();
    assert.match(await row.innerText(), /“gemini” is not on PATH[^]*@google\/gemini-cli/);
    await row.click();
    await workbench.terminalShows('npm install -g @google/gemini-cli');
  });

  it('records any command, and shows its exit code', async () => {
    const workbench = await workspace.open();
    await recordCommand(workbench, 'printf "%s-%s\\n" one two; exit 7');
    await workbench.terminalShows('one-two');
    await workbench.terminalShows('Ended with exit code 7');
    await workbench.type('x');
    await workbench.page.locator('.terminal-wrapper.active').waitFor({ state: 'hidden' });
  });

  it('answers Ctrl-C during a flood of output, and follows the terminal’s size', async () => {
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

  it('starts from the menu beside the terminal’s plus', async () => {
    const workbench = await workspace.open();
    // VS Code loads profiles with the first terminal; before that the list is empty.
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
    assert.equal(await tab.locator('.terminal-icon-terminal_ansiRed').count(), 0);
    // Cancelling shows no error.
    assert.equal(await workbench.page.locator('.notification-list-item').count(), 0);
  });
});
