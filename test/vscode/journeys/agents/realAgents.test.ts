import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readEvents } from '../../../../src/sessions/node/eventsFile.ts';
import { readSnapshots } from '../../../../src/snapshots/node/list/snapshotsFile.ts';
import { AGENT_SETUPS } from '../../../agents/agentSetup.ts';
import { historyOf } from '../../../agents/history.ts';
import { treeOf } from '../../../agents/originals.ts';
import { afterTools } from '../../../agents/useOriginal.ts';
import { until } from '../../../support/ah.ts';
import { GO_ON, RealAgentEditor } from '../../harness/sessions/realAgents.ts';
import { comparesFiles } from '../../harness/sessions/recordChanges.ts';
import { TimelinePage } from '../../harness/pages/timelinePage.ts';
import type { Workbench } from '../../harness/pages/workbench.ts';

/** Settings of a user who skips the agents' questions. */
const CONFIGURED: Readonly<Record<string, (home: string, url: string) => void>> = {
  claudeCode: (home) => {
    mkdirSync(path.join(home, '.claude'), { recursive: true });
    const permissions = {
      defaultMode: 'acceptEdits',
      allow: ['Bash'],
      // Without this, the agent offers the auto mode in a dialog.
      disableAutoMode: 'disable',
    };
    writeFileSync(path.join(home, '.claude/settings.json'), JSON.stringify({ permissions }));
  },
  codex: (home, url) => {
    const file = path.join(home, '.codex/config.toml');
    const trust = readFileSync(file, 'utf8');
    const settings = [
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      'model_provider = "mock"',
      '[model_providers.mock]',
      'name = "mock"',
      `base_url = "${url}/codex"`,
      'env_key = "MOCK_KEY"',
      'wire_api = "responses"',
      'supports_websockets = false',
    ];
    writeFileSync(file, `${settings.join('\n')}\n`);
    appendFileSync(file, trust);
  },
};
const NAMES: Readonly<Record<string, string>> = { claudeCode: 'Claude Code', codex: 'Codex' };

describe('a real agent', function () {
  this.timeout(600_000);
  let editor: RealAgentEditor;
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await editor.keepPictures(this.currentTest.title.replace(/\W+/g, '-'));
    await editor.dispose();
  });

  /** Agents drop early keys, and take an early Enter for a part of a paste. */
  async function say(workbench: Workbench, text: string): Promise<void> {
    await workbench.type(text);
    await workbench.terminalShows(text, 20_000).catch(async () => {
      await workbench.type(text);
      await workbench.terminalShows(text, 20_000);
    });
    const isTold = () => editor.provider.scripted.length > 0;
    await workbench.type('\n');
    await until(isTold, 'the prompt', 60_000).catch(async () => {
      await workbench.type('\n');
      await until(isTold, 'the prompt', 60_000);
    });
  }

  for (const setup of AGENT_SETUPS.filter(({ agent }) => agent in CONFIGURED)) {
    const name = NAMES[setup.agent]!;
    it(`${name}: is recorded, and goes on by itself in the window of a branch from after its second tool`, async () => {
      editor = await RealAgentEditor.start(setup, CONFIGURED[setup.agent]!);
      const { folder, branch, provider, sandbox } = editor;
      const workbench = await editor.open();
      await workbench.commandAndPick('AH: Record Agent', name);
      const isReady = async () => setup.ready.test(await workbench.terminalText());
      await until(isReady, 'the agent to be ready', 120_000);
      await workbench.page.waitForTimeout(setup.settleMs);
      await say(workbench, '@@three-tools please');
      await workbench.terminalShows('All three are done.', 120_000);
      const [original] = await sandbox.catalogue.list();
      const keptAfterTools = async () =>
        afterTools({ snapshots: await readSnapshots(original!.folder) });
      await until(async () => (await keptAfterTools()).length === 3, 'three moments', 30_000).catch(
        async () => {
          const labels = (await keptAfterTools()).map(({ label }) => label);
          const kinds = (await readEvents(original!.folder)).map(({ kind }) => kind);
          assert.fail(`${labels.join('\n')}\n${kinds.join(' ')}`);
        },
      );
      assert.equal(provider.scripted.length, 4);
      const before = treeOf(folder);

      const timeline = await TimelinePage.open(workbench, name);
      const turn = timeline.frame.locator('.moment.kind-prompt').first();
      await turn.hover();
      await turn.locator('[aria-label="Show changes of this turn"]').click();
      await comparesFiles(workbench.page, ['hello.txt', 'notes.txt']);
      await workbench.command('View: Close Editor');
      await timeline.frame
        .locator('.moment:has(.moment-number) .moment-go', { hasText: 'hello.txt' })
        .first()
        .click();
      await timeline.settled();
      await timeline.instruct(GO_ON);
      const dialog = workbench.page.locator('.quick-input-widget');
      for (const text of ['continues the conversation', 'a git worktree', branch]) {
        await dialog.locator('.monaco-list-row', { hasText: text }).first().waitFor();
      }
      // The branch is trusted like the original, so the agent does not ask.
      assert.equal(
        await dialog.locator('.monaco-list-row', { hasText: 'whether you trust' }).count(),
        0,
      );
      const opened = await editor.opened(() => workbench.pick('Branch in a New Window').click());
      await opened.terminalShows('The branch is done.', 180_000);

      const calls = provider.scripted.slice(4);
      assert.equal(calls.length, 3);
      const known = historyOf(provider.scripted[2]!, [folder, branch]);
      // The branch's path starts with the folder's path: compare whole paths.
      assert.deepEqual(historyOf(calls[0]!, [branch, branch]), [...known, `user ${GO_ON}`]);
      assert.equal(readFileSync(path.join(branch, 'where.txt'), 'utf8'), `${branch}\n`);
      assert.equal(readFileSync(path.join(branch, 'hello.txt'), 'utf8'), 'hello\nsun\n');
      for (const state of [
        ['rev-parse', 'HEAD'],
        ['ls-files', '-s'],
      ]) {
        assert.equal(git(branch, ...state), git(folder, ...state));
      }
      assert.deepEqual(treeOf(folder), before, 'the original is as it was');
      const sessions = await sandbox.catalogue.list();
      const child = sessions.find(({ meta }) => meta.branchOf !== undefined);
      assert.equal(child?.meta.branchOf?.fromSessionId, original!.meta.id);
      assert.equal(child?.meta.branchOf?.method, 'resume');
    });
  }
});

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}
