import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../base/errors.ts';
import type { BranchPlan } from '../../branching/node/plan/planBranch.ts';
import { lateText } from '../../timeline/node/moments/lateText.ts';
import { showError } from '../messages.ts';
import { plainLabel } from '../plainLabel.ts';
import { showUserError } from '../remedies.ts';
import { dateOf, startText } from '../sessions/timeText.ts';
import { warningRows } from '../warningRows.ts';
import { additionText } from '../workspaceAddition.ts';
import { permissionsText } from './permissionsText.ts';

/** Number of names that fit on one line. */
const NAMED = 8;

/**
 * Where to open the branch: in a new window, in this window, or (`original`) in the session's own
 * folder, whose files are then restored.
 */
export type BranchWindow = 'new' | 'this' | 'original';

/** What the user can change before the branch is created. */
export interface BranchTexts {
  readonly name: string | undefined;
  readonly message: string | undefined;
  /** Undefined if the branch gets its own folder. */
  readonly kind: 'in-place' | undefined;
}

interface Row extends vscode.QuickPickItem {
  readonly act?: BranchWindow | 'message' | 'name' | 'in-place' | 'aside';
}

/** Asks for the new instruction; it may be empty. Undefined when the user cancels. */
export function askMessage(value: string | undefined): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Branch Here'),
    prompt: vscode.l10n.t('New instruction (the agent’s first message)'),
    placeHolder: vscode.l10n.t('New instruction for the agent (optional)'),
    ignoreFocusOut: true,
    ...(value !== undefined && { value }),
  });
}

/**
 * Shows the plan of a branch and lets the user change name and message, until the user confirms or
 * cancels.
 * @param planFor makes a new plan with changed texts; if it fails, the dialog shows the error and
 * keeps the last plan
 */
export async function confirmBranch(
  first: BranchPlan,
  planFor: (texts: BranchTexts) => Promise<BranchPlan>,
): Promise<{ plan: BranchPlan; window: BranchWindow } | undefined> {
  let plan = first;
  let name: string | undefined;
  let kind: BranchTexts['kind'];
  for (;;) {
    const row = await vscode.window.showQuickPick(rowsOf(plan), {
      title: vscode.l10n.t('Branch Here'),
      placeHolder:
        plan.kind === 'in-place'
          ? vscode.l10n.t('Review the plan. The files of the original folder are restored.')
          : vscode.l10n.t('Review the plan. Nothing happens until you choose how to branch.'),
      ignoreFocusOut: true,
    });
    if (!row) return undefined;
    if (row.act === 'new' || row.act === 'this' || row.act === 'original')
      return { plan, window: row.act };
    if (row.act === 'name') name = (await askName(plan.name)) ?? name;
    const message = row.act === 'message' ? await askMessage(plan.message) : plan.message;
    if (row.act === undefined) continue;
    if (row.act === 'in-place') kind = 'in-place';
    if (row.act === 'aside') kind = undefined;
    try {
      plan = await planFor({ name, message: message ?? plan.message, kind });
    } catch (error) {
      name = undefined;
      kind = plan.kind === 'in-place' ? plan.kind : undefined;
      void (error instanceof UserError ? showUserError(error) : showError(messageOf(error)));
    }
  }
}

function askName(value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Branch Here'),
    prompt: vscode.l10n.t('Name of the branch'),
    ignoreFocusOut: true,
    value,
  });
}

function rowsOf(plan: BranchPlan): Row[] {
  const { kind, destination, memory, carried, name, message } = plan;
  return [
    ...startRows(plan),
    { label: vscode.l10n.t('Plan'), kind: vscode.QuickPickItemKind.Separator },
    {
      act: 'message',
      label: `$(comment) ${vscode.l10n.t('Message')}`,
      description: changeable(
        message === undefined
          ? vscode.l10n.t('none: the agent starts without a prompt')
          : plainLabel(message),
      ),
    },
    { act: 'name', label: `$(tag) ${vscode.l10n.t('Name')}`, description: changeable(name) },
    filesRow(plan),
    ...plan.warnings.flatMap(warningRows),
    {
      label: `$(hubot) ${vscode.l10n.t('Agent memory')}`,
      description: memoryText(plan),
    },
    ...modeRows(plan),
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
                label: `$(package) ${vscode.l10n.t('Ignored files to copy')}`,
                description: namesOf(carried),
              }
            : {
                label: `$(link) ${vscode.l10n.t('Ignored files to link')}`,
                description: namesOf(carried),
                detail: `$(warning) ${vscode.l10n.t('Linked to the original: changes affect both.')}`,
              },
        ]),
  ];
}

function startRows({ kind, name }: BranchPlan): Row[] {
  if (kind === 'in-place')
    return [
      {
        act: 'original',
        label: `$(discard) ${vscode.l10n.t('Restore Files and Start the Agent')}`,
        description: vscode.l10n.t('takes a snapshot of the current files first'),
      },
      {
        act: 'aside',
        label: `$(git-branch) ${vscode.l10n.t('Branch into a Folder of Its Own…')}`,
        description: vscode.l10n.t('leaves the original folder as it is'),
      },
    ];
  return [
    {
      act: 'new',
      label: `$(git-branch) ${vscode.l10n.t('Branch in a New Window')}`,
      description: vscode.l10n.t('starts the agent in the new window'),
    },
    {
      act: 'this',
      label: `$(add) ${vscode.l10n.t('Branch in This Window')}`,
      detail: additionText(plainLabel(name)),
    },
    {
      act: 'in-place',
      label: `$(discard) ${vscode.l10n.t('Branch in the Original Folder…')}`,
      description: vscode.l10n.t('restores the folder’s files to this moment'),
    },
  ];
}

/** Joins the first names and counts the rest. */
function namesOf(paths: readonly string[]): string {
  const names = paths.slice(0, NAMED).map(plainLabel).join(', ');
  if (paths.length <= NAMED) return names;
  return vscode.l10n.t('{0} and {1} more', names, paths.length - NAMED);
}

/** Abbreviates the home folder to a tilde. */
function shortPath(folder: string): string {
  const home = homedir();
  return folder.startsWith(home + path.sep) ? `~${folder.slice(home.length)}` : folder;
}

/** Adds a pencil, which shows that a click changes the value. */
function changeable(text: string): string {
  return `${text}  $(edit)`;
}

function filesRow({ snapshot, passedOver, why }: BranchPlan): Row {
  const time = startText(dateOf(snapshot.tsNs), new Date(), vscode.env.language);
  const [unusable] = passedOver;
  const reason = unusable
    ? `$(warning) ${vscode.l10n.t('Can’t use snapshot {0}: {1} This is the nearest usable one.', String(unusable.line.id), unusable.reason)}`
    : reasonText(why);
  const late = lateText(snapshot.files);
  return {
    label: `$(files) ${vscode.l10n.t('Files')}`,
    description: `${plainLabel(snapshot.label)} · ${time} · #${snapshot.id}`,
    detail: late === '' ? reason : `${reason} · $(warning) ${late}`,
  };
}

function reasonText(why: BranchPlan['why']): string {
  switch (why) {
    case 'asked':
      return vscode.l10n.t('the snapshot of this moment');
    case 'before':
      return vscode.l10n.t('the last snapshot before this moment');
    case 'later':
      return `$(warning) ${vscode.l10n.t('No snapshot precedes this moment; this is the first one after it.')}`;
  }
}

/** Describes how the memory is restored; further rows list what a replay loses. */
function memoryText({ memory, agent }: BranchPlan): string {
  switch (memory.method) {
    case 'resume':
      return vscode.l10n.t('the agent continues the conversation from this moment');
    case 'replay': {
      const text =
        agent === undefined
          ? vscode.l10n.t('starts a new conversation')
          : vscode.l10n.t('the agent starts a new conversation, without memory of this session');
      return `$(warning) ${text}`;
    }
  }
}

/** Rows for the permissions and the model with which the agent of the branch starts. */
function modeRows({ memory: { mode }, agent }: BranchPlan): Row[] {
  if (agent === undefined) return [];
  const unknown = vscode.l10n.t('from the agent’s settings');
  const [permissions, permissionsBefore] = [mode?.permissions, mode?.permissionsBefore].map(
    (words) => words && permissionsText(words),
  );
  const changed =
    permissionsBefore !== undefined && permissions !== undefined
      ? vscode.l10n.t('was “{0}”; the branch starts with “{1}”', permissionsBefore, permissions)
      : permissions;
  const row = (icon: string, label: string, value: string | undefined): Row => ({
    label: `$(${icon}) ${label}`,
    description: plainLabel(value ?? unknown),
  });
  return [
    row('shield', vscode.l10n.t('Permissions'), changed),
    row('circuit-board', vscode.l10n.t('Model'), mode?.model),
  ];
}

function kindText(kind: BranchPlan['kind']): string {
  switch (kind) {
    case 'worktree':
      return vscode.l10n.t('a git worktree');
    case 'clone':
      return vscode.l10n.t('a clone of the snapshot');
    case 'in-place':
      return vscode.l10n.t('the original folder: restores the files, keeps HEAD and index');
  }
}
