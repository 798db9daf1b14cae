import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { detectAgents, type AgentProbe, type InstalledAgent } from '../../agents/common/detect.ts';
import { configuration } from '../configuration.ts';
import {
  defaultShell,
  shellCommand,
  shellLineOf,
  type RecordedCommand,
} from './recordedCommand.ts';
import { programName } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';

interface AgentItem extends vscode.QuickPickItem {
  readonly choose: () => Promise<RecordedCommand | undefined>;
}

/** Asks what to record: the agents that are installed, the last one used first, any command, or a shell. */
export class AgentPicker {
  readonly #probe: AgentProbe;
  readonly #store: SessionStore;

  constructor(probe: AgentProbe, store: SessionStore) {
    this.#probe = probe;
    this.#store = store;
  }

  /** Undefined when the person thought better of it; throws where nothing may be run. */
  async pick(): Promise<RecordedCommand | undefined> {
    if (!vscode.workspace.isTrusted) {
      throw new UserError(
        'not-trusted',
        vscode.l10n.t('Recording runs a program in this workspace; trust it first.'),
      );
    }
    const item = await vscode.window.showQuickPick(this.#items(), {
      title: vscode.l10n.t('Record Agent'),
      placeHolder: vscode.l10n.t('Which agent shall run? Every byte it prints is recorded.'),
      matchOnDescription: true,
    });
    return item?.choose();
  }

  async #items(): Promise<AgentItem[]> {
    const agents = await detectAgents(this.#probe, configuration().agentExecutables);
    const lastUsed = this.#store.sessions.find(({ notes }) => notes.agent !== undefined)?.notes;
    const ordered = agents.sort(
      (a, b) => Number(b.agent.id === lastUsed?.agent) - Number(a.agent.id === lastUsed?.agent),
    );
    return [
      ...ordered.map((agent) => agentItem(agent, agent.agent.id === lastUsed?.agent)),
      ...(agents.length > 0 ? [separator()] : []),
      ...this.#otherItems(),
    ];
  }

  #otherItems(): AgentItem[] {
    const shell = defaultShell();
    const custom: AgentItem = {
      label: vscode.l10n.t('Custom Command…'),
      iconPath: new vscode.ThemeIcon('terminal'),
      choose: () => this.#askCommand(),
    };
    const name = programName([shell]);
    return [
      custom,
      {
        label: vscode.l10n.t('Default Shell'),
        description: name,
        detail: shell,
        iconPath: new vscode.ThemeIcon('terminal-bash'),
        choose: () => Promise.resolve({ cmd: [shell], name }),
      },
    ];
  }

  async #askCommand(): Promise<RecordedCommand | undefined> {
    const last = this.#store.sessions
      .map(({ meta }) => shellLineOf(meta.cmd))
      .find((line) => line !== undefined);
    const line = await vscode.window.showInputBox({
      title: vscode.l10n.t('Record Command'),
      prompt: vscode.l10n.t('The command to record, as you would type it at a prompt'),
      placeHolder: 'claude --model opus',
      ignoreFocusOut: true,
      ...(last !== undefined && { value: last }),
      validateInput: (text) =>
        text.trim() === '' ? vscode.l10n.t('Type a command, or press Escape.') : undefined,
    });
    return line === undefined ? undefined : shellCommand(line.trim());
  }
}

function agentItem({ agent, program, version }: InstalledAgent, isLast: boolean): AgentItem {
  const words = [version, isLast ? vscode.l10n.t('last used') : undefined];
  return {
    label: agent.name,
    description: words.filter((word) => word !== undefined).join(' · '),
    detail: program,
    iconPath: new vscode.ThemeIcon('hubot'),
    choose: () => Promise.resolve({ cmd: [program], name: agent.name, agent: agent.id }),
  };
}

function separator(): AgentItem {
  return {
    label: '',
    kind: vscode.QuickPickItemKind.Separator,
    choose: () => Promise.resolve(undefined),
  };
}
