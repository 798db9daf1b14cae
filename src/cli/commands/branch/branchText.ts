import { stringifyExactJson } from '../../../base/exactJson.ts';
import type { BranchKind, BranchRecord } from '../../../branching/common/branchRecord.ts';
import type { ChoiceReason } from '../../../branching/common/chooseSnapshot.ts';
import type { CarryMode } from '../../../branching/node/carry/carryFiles.ts';
import type { MakingStep } from '../../../branching/node/make/makeOptions.ts';
import type { BranchPlan } from '../../../branching/node/plan/planBranch.ts';
import { lateText } from '../../../timeline/node/moments/lateText.ts';
import { counted, formatTable, formatTime, printable } from '../../formatting.ts';

const KINDS: Readonly<Record<BranchKind, string>> = {
  worktree: 'a git worktree',
  clone: 'a clone of the snapshot',
  'in-place':
    'the original folder; a snapshot of its current files is taken first, HEAD and index stay',
};

const RESUME = 'resume: the agent continues with a copy of its memory, trimmed to that moment';
const REPLAY = 'replay: the agent starts a new conversation without its memory of the session';
const REPLAY_UNKNOWN = 'replay: the program starts again';

/** Shown when the agent's own settings decide; AH does not read them. */
const AS_SET = 'from the agent’s settings';

const REASONS: Readonly<Record<ChoiceReason, string>> = {
  asked: '',
  before: ' (the last one before that moment)',
  later: ' (later than that moment: no earlier one exists)',
};

/** Prints what the command is about to do to standard error. */
export function printPlan(plan: BranchPlan): void {
  const { kind, name, destination, message, carried, carryMode } = plan;
  const rows = [
    ['branch', printable(name)],
    ['files', filesText(plan)],
    ['folder', `${printable(destination)} (${KINDS[kind]})`],
    ['memory', memoryText(plan)],
    ...modeRow(plan),
    ...(carried.length > 0 ? [carriedRow(carried, carryMode)] : []),
    ...(message === undefined ? [] : [['message', printable(onOneLine(message))]]),
  ];
  process.stderr.write(`${formatTable(rows)}\n`);
  printWarnings(warningsOf(plan));
}

export function warningsOf({ warnings, memory }: BranchPlan): readonly string[] {
  return [...warnings, ...memory.warnings];
}

export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`ah: ${warning}\n`);
}

/** The progress text while a branch is created. */
export function stepText(step: MakingStep, detail: string): string {
  switch (step) {
    case 'files':
      return `Writing the files of “${printable(detail)}” …`;
    case 'carrying':
      return `Copying ${printable(detail)} …`;
    case 'agent':
      return 'Preparing the agent’s memory …';
  }
}

function filesText({ snapshot, why }: BranchPlan): string {
  const { id, tsNs, label, files } = snapshot;
  const late = lateText(files);
  const text = `of snapshot ${id}, ${formatTime(tsNs)}, ${printable(label)}${REASONS[why]}`;
  return late === '' ? text : `${text}; ${late}`;
}

function memoryText({ memory, agent }: BranchPlan): string {
  if (memory.method === 'resume') return RESUME;
  return agent === undefined ? REPLAY_UNKNOWN : REPLAY;
}

/** What the agent may do without asking, and its model. */
function modeRow({ memory: { mode }, agent }: BranchPlan): string[][] {
  if (agent === undefined) return [];
  const permissions = printable(mode?.permissions ?? AS_SET);
  const before = mode?.permissionsBefore;
  const was = before === undefined ? '' : ` (was: ${printable(before)})`;
  return [
    ['agent', `permissions: ${permissions}${was}; model: ${printable(mode?.model ?? AS_SET)}`],
  ];
}

function carriedRow(carried: readonly string[], mode: CarryMode): string[] {
  const named = carriedText(carried);
  return mode === 'copy'
    ? ['copied', named]
    : ['linked', `${named} (shared with the original: changes affect both)`];
}

/** Joins the lines of a text, because each row of the table must be one line. */
function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ⏎ ').replace(/\t/g, ' ');
}

function carriedText(carried: readonly string[]): string {
  const named = carried.slice(0, 3).map(printable).join(', ');
  return carried.length > 3 ? `${named} and ${counted(carried.length - 3, 'more')}` : named;
}

/** The JSON of a plan (--dry-run) or of a created branch. */
export function branchJson(branch: BranchPlan | BranchRecord, isLaunched = false): string {
  if ('memory' in branch) {
    const { snapshot, passedOver, moment, kind, name, destination, message, memory, why } = branch;
    return stringifyExactJson({
      name,
      kind,
      destination,
      message,
      carried: branch.carried,
      method: memory.method,
      permissions: memory.mode?.permissions,
      permissionsBefore: memory.mode?.permissionsBefore,
      model: memory.mode?.model,
      warnings: warningsOf(branch),
      snapshot: snapshot.id,
      why,
      fromByte: moment.byte,
      fromTs: moment.timeNs,
      passedOver: passedOver.map(({ line, reason }) => ({ snapshot: line.id, reason })),
    });
  }
  const { id, name, kind, workspace, destination, from, launch, message } = branch;
  return stringifyExactJson({
    id,
    name,
    state: branch.state,
    kind,
    workspace,
    destination,
    message,
    fromSession: from.sessionId,
    snapshot: from.snapshotId,
    fromByte: from.byte,
    fromTs: from.timeNs,
    fromWorkspace: from.workspace,
    createdAtNs: branch.createdAtNs,
    ...(launch && {
      method: launch.method,
      warnings: launch.warnings,
      cmd: launch.cmd,
      cwd: launch.cwd,
      agentDetails: launch.details,
    }),
    launched: isLaunched,
  });
}
