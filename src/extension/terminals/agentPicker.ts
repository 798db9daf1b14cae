import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import {
  detectAgents,
  KNOWN_AGENTS,
  type AgentProbe,
  type InstalledAgent,
  type KnownAgent,
} from '../../agents/common/detect.ts';
import { configuration } from '../configuration.ts';
import { SETTINGS } from '../contributions.ts';
import { askArguments, lastArguments } from './agentArguments.ts';
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

/** Asks what to record: an installed agent (the last used one first), a command, or a shell. */
export class AgentPicker {
  readonly #probe: AgentProbe;
  readonly #store: SessionStore;

  constructor(probe: AgentProbe, store: SessionStore) {
    this.#probe = probe;
    this.#store = store;
  }

  /** @returns undefined if the user cancelled; throws in an untrusted workspace */
  async pick(): Promise<RecordedCommand | undefined> {
    if (!vscode.workspace.isTrusted) {
      throw new UserError(
        'not-trusted',
        vscode.l10n.t('Trust this workspace first: recording runs a program in it.'),
        { remedy: { kind: 'trustWorkspace' } },
      );
    }
    const item = await vscode.window.showQuickPick(this.#items(), {
      title: vscode.l10n.t('Record Agent'),
      placeHolder: vscode.l10n.t('Select an agent or a command to record'),
      matchOnDescription: true,
    });
    return item?.choose();
  }

  async #items(): Promise<AgentItem[]> {
    const executables = configuration().agentExecutables;
    const agents = await detectAgents(this.#probe, executables);
    const lastUsed = this.#store.sessions.find(({ notes }) => notes.agent !== undefined)?.notes;
    const ordered = agents.sort(
      (a, b) => Number(b.agent.id === lastUsed?.agent) - Number(a.agent.id === lastUsed?.agent),
    );
    return [
      ...ordered.flatMap((agent) => [
        agentItem(agent, agent.agent.id === lastUsed?.agent),
        this.#argumentsItem(agent),
      ]),
      ...(agents.length > 0 ? [separator()] : []),
      ...this.#otherItems(),
      separator(vscode.l10n.t('not installed')),
      ...KNOWN_AGENTS.filter(({ id }) => agents.every(({ agent }) => agent.id !== id)).map(
        (agent) => {
          const configured = executables[agent.id];
          return configured ? misconfiguredItem(agent, configured) : missingItem(agent);
        },
      ),
    ];
  }

  #argumentsItem({ agent, program }: InstalledAgent): AgentItem {
    const last = lastArguments(agent, this.#store.sessions);
    return {
      label: vscode.l10n.t('{0} with Arguments…', agent.name),
      description: last,
      iconPath: new vscode.ThemeIcon('hubot'),
      choose: async () => {
        const args = await askArguments(agent, last);
        return args && { cmd: [program, ...args], name: agent.name, agent: agent.id };
      },
    };
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
      prompt: vscode.l10n.t('Command to record, as you would type it in a shell'),
      placeHolder: 'claude --model opus',
      ignoreFocusOut: true,
      ...(last !== undefined && { value: last }),
      validateInput: (text) =>
        text.trim() === '' ? vscode.l10n.t('Enter a command, or press Escape.') : undefined,
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

/**
 * A row that explains why an agent is not offered. Selecting it types the command that installs the
 * agent.
 */
function missingItem({ name, programs, packages }: KnownAgent): AgentItem {
  const install = `npm install -g ${packages[0]}`;
  return {
    label: name,
    description: vscode.l10n.t('“{0}” is not on PATH', programs[0] ?? name),
    detail: vscode.l10n.t(
      'Install it with {0}, or set its path in ah.agents.executables.',
      install,
    ),
    iconPath: new vscode.ThemeIcon('circle-slash'),
    choose: () => {
      const terminal = vscode.window.createTerminal({ name });
      terminal.show();
      terminal.sendText(install, false);
      return Promise.resolve(undefined);
    },
  };
}

/**
 * A row for an agent whose configured path is wrong. Selecting it opens the setting: installing the
 * agent would not help, because the setting replaces PATH.
 */
function misconfiguredItem({ name }: KnownAgent, executable: string): AgentItem {
  return {
    label: name,
    description: vscode.l10n.t('“{0}” does not exist or is not executable', executable),
    detail: vscode.l10n.t('Correct the path in ah.agents.executables, or remove it to use PATH.'),
    iconPath: new vscode.ThemeIcon('warning'),
    choose: async () => {
      const setting = `ah.${SETTINGS.agentExecutables}`;
      await vscode.commands.executeCommand('workbench.action.openSettings', setting);
      return undefined;
    },
  };
}

function separator(label = ''): AgentItem {
  return {
    label,
    kind: vscode.QuickPickItemKind.Separator,
    choose: () => Promise.resolve(undefined),
  };
}
