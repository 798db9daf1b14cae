import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BranchPlan } from '../../branching/node/plan/planBranch.ts';
import { showError } from '../messages.ts';
import { plainLabel } from '../plainLabel.ts';
import { clockText, dateOf } from '../sessions/timeText.ts';
import { warningRows } from '../warningRows.ts';

/** As many as a line has room for. */
const NAMED = 8;

/** Where the branch opens. */
export type BranchWindow = 'new' | 'this';

/** What a person may still change. */
export interface BranchWords {
  readonly name: string | undefined;
  readonly message: string | undefined;
}

interface Row extends vscode.QuickPickItem {
  readonly act?: BranchWindow | 'message' | 'name';
}

/** Asks for the new instruction. Undefined when the person thought better of it; empty is fine. */
export function askMessage(value: string | undefined): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Branch Here'),
    prompt: vscode.l10n.t('What shall the agent do instead? It is told this first.'),
    placeHolder: vscode.l10n.t('A new instruction; leave it empty to tell the agent later'),
    ignoreFocusOut: true,
    ...(value !== undefined && { value }),
  });
}

/**
 * Says what will happen before it does, and lets name and message be changed.
 * @param planFor the plan with other words; its failures are shown, and the last plan stays
 */
export async function confirmBranch(
  first: BranchPlan,
  planFor: (words: BranchWords) => Promise<BranchPlan>,
): Promise<{ plan: BranchPlan; window: BranchWindow } | undefined> {
  let plan = first;
  let name: string | undefined;
  for (;;) {
    const row = await vscode.window.showQuickPick(rowsOf(plan), {
      title: vscode.l10n.t('Branch Here'),
      placeHolder: vscode.l10n.t('This is what will happen. Nothing of the original is changed.'),
      ignoreFocusOut: true,
    });
    if (!row) return undefined;
    if (row.act === 'new' || row.act === 'this') return { plan, window: row.act };
    if (row.act === 'name') name = (await askName(plan.name)) ?? name;
    const message = row.act === 'message' ? await askMessage(plan.message) : plan.message;
    if (row.act === undefined) continue;
    try {
      plan = await planFor({ name, message: message ?? plan.message });
    } catch (error) {
      name = undefined;
      void showError(error instanceof Error ? error.message : String(error));
    }
  }
}

function askName(value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Branch Here'),
    prompt: vscode.l10n.t('What shall the branch be called?'),
    ignoreFocusOut: true,
    value,
  });
}

function rowsOf(plan: BranchPlan): Row[] {
  const { kind, destination, memory, carried, name, message } = plan;
  return [
    {
      act: 'new',
      label: `$(git-branch) ${vscode.l10n.t('Branch in a New Window')}`,
      description: vscode.l10n.t('the agent starts there by itself'),
    },
    {
      act: 'this',
      label: `$(add) ${vscode.l10n.t('Branch in This Window')}`,
      description: vscode.l10n.t('its folder is added to this workspace'),
    },
    { label: vscode.l10n.t('What will happen'), kind: vscode.QuickPickItemKind.Separator },
    {
      act: 'message',
      label: `$(comment) ${vscode.l10n.t('Message')}`,
      description: changeable(
        message === undefined
          ? vscode.l10n.t('none: you tell the agent yourself')
          : plainLabel(message),
      ),
    },
    { act: 'name', label: `$(tag) ${vscode.l10n.t('Name')}`, description: changeable(name) },
    filesRow(plan),
    ...plan.warnings.flatMap(warningRows),
    {
      label: `$(hubot) ${vscode.l10n.t('Memory of the agent')}`,
      description: memoryText(plan),
    },
    ...memory.warnings.flatMap(warningRows),
    {
      label: `$(folder) ${vscode.l10n.t('Folder')}`,
      description: kindText(kind),
      detail: shortPath(destination),
    },
    ...(carried.length === 0
      ? []
      : [
          plan.carryMode === 'copy'
            ? {
                label: `$(package) ${vscode.l10n.t('Brought along')}`,
                description: namesOf(carried),
              }
            : {
                label: `$(link) ${vscode.l10n.t('Linked')}`,
                description: namesOf(carried),
                detail: `$(warning) ${vscode.l10n.t('The original’s own: what changes there changes for both.')}`,
              },
        ]),
  ];
}

/** Of a folder that is partly kept, each thing comes along by itself. */
function namesOf(paths: readonly string[]): string {
  const names = paths.slice(0, NAMED).map(plainLabel).join(', ');
  if (paths.length <= NAMED) return names;
  return vscode.l10n.t('{0} and {1} more', names, paths.length - NAMED);
}

/** With the home folder as a tilde, where that can be said. */
function shortPath(folder: string): string {
  const home = homedir();
  return folder.startsWith(home + path.sep) ? `~${folder.slice(home.length)}` : folder;
}

/** A pencil says that a click changes it. */
function changeable(text: string): string {
  return `${text}  $(edit)`;
}

function filesRow({ snapshot, passedOver, why }: BranchPlan): Row {
  const time = clockText(dateOf(snapshot.tsNs), vscode.env.language);
  const [nearer] = passedOver;
  return {
    label: `$(files) ${vscode.l10n.t('Files')}`,
    description: `${plainLabel(snapshot.label)} · ${time} · #${snapshot.id}`,
    detail: nearer
      ? `$(warning) ${vscode.l10n.t('Snapshot {0} cannot be used: {1} This is the nearest one that can.', String(nearer.line.id), nearer.reason)}`
      : reasonText(why),
  };
}

function reasonText(why: BranchPlan['why']): string {
  switch (why) {
    case 'asked':
      return vscode.l10n.t('the snapshot of this moment');
    case 'before':
      return vscode.l10n.t('the last snapshot before this moment');
    case 'later':
      return `$(warning) ${vscode.l10n.t('No files were kept before this moment: this is the first snapshot after it.')}`;
  }
}

/** What is lost by a replay is said below it. */
function memoryText({ memory, agent }: BranchPlan): string {
  switch (memory.method) {
    case 'resume':
      return vscode.l10n.t('resume: it goes on with a copy, cut at this moment');
    case 'replay': {
      const text =
        agent === undefined
          ? vscode.l10n.t('replay: it starts anew')
          : vscode.l10n.t('replay: it starts anew, without its own memory of the session');
      return `$(warning) ${text}`;
    }
  }
}

function kindText(kind: BranchPlan['kind']): string {
  switch (kind) {
    case 'worktree':
      return vscode.l10n.t('a git worktree');
    case 'clone':
      return vscode.l10n.t('a clone');
    case 'in-place':
      return vscode.l10n.t('the original folder: its files come back, HEAD and index stay');
  }
}
