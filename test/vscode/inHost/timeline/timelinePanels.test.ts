import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { PANELS } from '../../../../src/extension/contributions.ts';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import type { SessionStore } from '../../../../src/extension/sessions/sessionStore.ts';
import type { OpenedSnapshots } from '../../../../src/extension/snapshots/openedSnapshots.ts';
import { TimelinePanels } from '../../../../src/extension/timeline/timelinePanels.ts';
import { until } from '../../../support/ah.ts';
import { output, write } from '../../../support/recording/recordings.ts';

const TITLE = 'agent · Timeline';

/** A second set of panels, whose tabs the active extension does not know. */
describe('the tabs of timelines', function () {
  this.timeout(60_000);
  let folder = '';
  let panels: TimelinePanels | undefined;
  const fileOf = (name: string) => path.join(folder, `${name}.ahr`);
  const sessionOf = (name: string) =>
    ({
      meta: { id: name, cmd: ['agent'], recording: fileOf(name) },
      notes: {},
    }) as unknown as Session;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'ah-t-'));
    const { bytes } = await write(output(100, 50));
    for (const name of ['a', 'b']) writeFileSync(fileOf(name), bytes);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    panels?.dispose();
  });
  after(() => rmSync(folder, { recursive: true }));

  /** @param left names of the sessions whose timelines an earlier extension host opened */
  function create(left: readonly string[]): TimelinePanels {
    const entries = left.map((name) => [fileOf(name), TITLE]);
    const memento = { get: () => entries, update: () => Promise.resolve() };
    const register = vscode.window.registerWebviewPanelSerializer;
    // The active extension has registered its own.
    const replace = (value: unknown) =>
      Object.defineProperty(vscode.window, 'registerWebviewPanelSerializer', {
        value,
        configurable: true,
      });
    replace(() => new vscode.Disposable(() => {}));
    try {
      panels = new TimelinePanels(
        vscode.extensions.getExtension('ah-time-travel.ah-time-travel')!.extensionUri,
        {
          sessions: [sessionOf('a'), sessionOf('b')],
          onDidChange: () => new vscode.Disposable(() => {}),
        } as unknown as SessionStore,
        {} as OpenedSnapshots,
        memento as unknown as vscode.Memento,
      );
    } finally {
      replace(register);
    }
    return panels;
  }
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const hasTabs = (count: number) => until(() => tabs().length === count, `${count} tabs`);
  /** A tab of the earlier extension host. */
  async function leaveTab(): Promise<vscode.WebviewPanel> {
    const panel = vscode.window.createWebviewPanel(PANELS.timeline, TITLE, vscode.ViewColumn.One);
    await hasTabs(1);
    return panel;
  }

  it('replace a tab of an earlier extension host, unless it may show another session', async () => {
    const left = await leaveTab();
    let isClosed = false;
    left.onDidDispose(() => (isClosed = true));
    const both = create(['a', 'b']);
    both.show(sessionOf('a'));
    await hasTabs(2);
    assert.equal(isClosed, false, 'it may be of the other session');
    await vscode.window.tabGroups.close(tabs().filter(({ isActive }) => isActive));
    await hasTabs(1);
    both.dispose();
    create(['a']).show(sessionOf('a'));
    await until(() => isClosed, 'the left tab to be replaced');
    assert.equal(tabs().length, 1);
  });

  it('stay known when one of two tabs of a recording is closed', async () => {
    const own = create([]);
    const first = vscode.window.createWebviewPanel(PANELS.timeline, TITLE, vscode.ViewColumn.One);
    const second = vscode.window.createWebviewPanel(PANELS.timeline, TITLE, vscode.ViewColumn.One);
    const state = { recording: fileOf('a') };
    await own.deserializeWebviewPanel(first, state);
    await own.deserializeWebviewPanel(second, state);
    await hasTabs(2);
    first.dispose();
    await hasTabs(1);
    assert.equal(own.activeSession?.meta.id, 'a');
    own.show(sessionOf('a'));
    own.show(sessionOf('b'));
    await hasTabs(2);
  });
});
