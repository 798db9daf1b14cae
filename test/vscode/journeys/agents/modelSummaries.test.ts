import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { AhSandbox, until } from '../../../support/ah.ts';
import { EditorServer } from '../../harness/editor/editorServer.ts';
import { makeFakeAgents } from '../../harness/sessions/fakeAgents.ts';
import { ensureServer } from '../../harness/editor/installServer.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordAgent } from '../../harness/pages/journeySteps.ts';
import { look } from '../../harness/pages/look.ts';
import { placeTestModel } from '../../harness/sessions/testModel.ts';
import { Workbench } from '../../harness/pages/workbench.ts';

const KEY = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

describe('summaries by a language model', function () {
  this.timeout(240_000);
  let root: string;
  let sandbox: AhSandbox;
  let server: EditorServer;
  let context: BrowserContext;
  const log = () => path.join(root, 'asked.jsonl');

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'ah-l-'));
    for (const name of ['ah', 'home', 'workspace']) mkdirSync(path.join(root, name));
    const bin = makeFakeAgents(path.join(root, 'bin'));
    writeFileSync(path.join(root, 'home/.bash_profile'), `export PATH="${bin}:$PATH"\n`);
    placeTestModel(path.join(root, 'extensions'));
    sandbox = new AhSandbox(path.join(root, 'ah'));
  });
  afterEach(async () => {
    await context.close();
    await server.stop();
    await sandbox.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  /** Opens a window in which an agent has finished a turn. */
  async function open(settings: Record<string, unknown>, isAsked = false): Promise<Workbench> {
    server = await EditorServer.start({
      serverFolder: ensureServer(),
      root,
      isDriven: false,
      extension: 'linked',
      settings,
      env: {
        AH_DATA_DIR: sandbox.folder,
        HOME: path.join(root, 'home'),
        SHELL: '/bin/bash',
        TEST_MODEL_ASKS: isAsked ? '1' : '0',
        TEST_MODEL_LOG: log(),
        TEST_MODEL_ANSWER: `It ran the tests with ${KEY}.`,
      },
    });
    context = await journeyWorld().browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    // VS Code asks for consent only about models that an extension provides with this proposal.
    const payload = isAsked ? ([['enableProposedApi', '']] as const) : undefined;
    await page.goto(server.folderUrl(path.join(root, 'workspace'), payload));
    const workbench = new Workbench(page);
    await workbench.ready();
    await workbench.showViews();
    await recordAgent(workbench);
    await turn(workbench, `npm test ${KEY}`);
    return workbench;
  }
  async function turn(workbench: Workbench, command: string): Promise<void> {
    await workbench.type(`ask ${command}\n`);
    await workbench.terminalShows(`Allow ${command.slice(0, 8)}`);
    await workbench.type('y\n');
    await workbench.terminalShows(`Done with ${command.slice(0, 8)}`);
  }
  async function hover(workbench: Workbench): Promise<void> {
    await workbench.page.mouse.move(800, 200);
    await workbench.page.locator('.monaco-hover').first().waitFor({ state: 'hidden' });
    await workbench.page
      .locator('.part.sidebar .monaco-list-row', { hasText: 'Claude Code' })
      .first()
      .hover({ timeout: 5000 });
  }
  const hovered = (workbench: Workbench, text: string) =>
    workbench.page.locator('.monaco-hover', { hasText: text }).first();

  /** Each hover reads the summary again. */
  const untilHovered = (workbench: Workbench, text: string) =>
    until(
      async () => {
        await hover(workbench).catch(() => {}); // The list may have changed under the pointer.
        return hovered(workbench, text)
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          );
      },
      `"${text}"`,
      60_000,
    );

  it('are requested with consent, without secrets, once per turn', async () => {
    const workbench = await open({ 'ah.summaries.languageModel': true });
    await untilHovered(workbench, 'It ran the tests with [redacted].');
    await look(workbench, 'model-summary');
    const asked = readFileSync(log(), 'utf8').trim().split('\n');
    for (const text of asked) {
      assert.match(text, /Please run npm test \[redacted\]/);
      assert.ok(!text.includes(KEY));
    }
    await untilHovered(workbench, 'It ran the tests');
    assert.equal(readFileSync(log(), 'utf8').trim().split('\n').length, asked.length);
  });

  it('are not requested again after a refusal; heuristic summaries remain', async () => {
    const workbench = await open({ 'ah.summaries.languageModel': true }, true);
    const { page } = workbench;
    const dialog = page.locator('.monaco-dialog-box');
    const isAsked = async (): Promise<boolean> => {
      // The dialog blocks hovering.
      await hover(workbench).catch(() => {});
      return dialog.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    };
    await until(isAsked, 'the question of the editor', 60_000);
    assert.match((await dialog.textContent()) ?? '', /AH Time Travel/);
    await look(workbench, 'model-consent');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await untilHovered(workbench, 'Please run npm test');
    // Neither the next turn nor a new window makes the extension ask again.
    await turn(workbench, 'make all');
    assert.equal(await isAsked(), false);
    await untilHovered(workbench, 'Please run make all');
    await page.reload();
    await workbench.ready();
    assert.equal(await isAsked(), false);
    assert.ok(!existsSync(log()), 'nothing was sent to a model');
  });

  it('are not requested unless the user turns them on', async () => {
    const workbench = await open({});
    await untilHovered(workbench, 'Please run npm test');
    // The extension would have requested a summary of the first turn before the next turn ended.
    await turn(workbench, 'make all');
    await untilHovered(workbench, 'Please run make all');
    assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
    assert.ok(!existsSync(log()));
  });
});
