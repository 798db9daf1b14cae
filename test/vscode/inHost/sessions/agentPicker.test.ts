import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SETTINGS } from '../../../../src/extension/contributions.ts';
import type { SessionStore } from '../../../../src/extension/sessions/sessionStore.ts';
import { AgentPicker } from '../../../../src/extension/terminals/agentPicker.ts';

const nothingInstalled = { find: () => undefined, versionText: () => Promise.resolve(undefined) };

describe('the picker of what to record', () => {
  const { showQuickPick } = vscode.window;
  afterEach(async () => {
    Object.defineProperty(vscode.window, 'showQuickPick', { value: showQuickPick });
    await setExecutables(undefined);
  });

  async function rows(): Promise<readonly vscode.QuickPickItem[]> {
    let shown: readonly vscode.QuickPickItem[] = [];
    const value = async (items: Promise<vscode.QuickPickItem[]>): Promise<undefined> => {
      shown = await items;
    };
    Object.defineProperty(vscode.window, 'showQuickPick', { value, configurable: true });
    const store = { sessions: [] } as unknown as SessionStore;
    await new AgentPicker(nothingInstalled, store).pick();
    return shown;
  }

  it('says why an agent is missing: not on PATH, or its configured path is wrong', async () => {
    await setExecutables({ claudeCode: '/no/such/claude' });
    const shown = await rows();
    const textOf = (name: string): string => {
      const { description, detail } = shown.find(({ label }) => label === name)!;
      return `${description} ${detail}`;
    };
    assert.match(
      textOf('Claude Code'),
      /^“\/no\/such\/claude” does not exist or is not executable/,
    );
    assert.match(textOf('Claude Code'), /ah\.agents\.executables/);
    assert.doesNotMatch(textOf('Claude Code'), /npm install/, 'that would not help');
    assert.match(textOf('Codex'), /^“codex” is not on PATH Install it with npm install/);
  });
});

async function setExecutables(value: Readonly<Record<string, string>> | undefined): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration('ah').update(SETTINGS.agentExecutables, value, target);
}
