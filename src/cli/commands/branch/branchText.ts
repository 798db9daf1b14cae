import { stringifyExactJson } from '../../../base/exactJson.ts';
import type { BranchKind, BranchRecord } from '../../../branching/common/branchRecord.ts';
import type { ChoiceReason } from '../../../branching/common/chooseSnapshot.ts';
import type { CarryMode } from '../../../branching/node/carry/carryFiles.ts';
import type { MakingStep } from '../../../branching/node/make/makeBranch.ts';
import type { BranchPlan } from '../../../branching/node/plan/planBranch.ts';
import { counted, formatTable, formatTime, printable } from '../../formatting.ts';

const KINDS: Readonly<Record<BranchKind, string>> = {
  worktree: 'a git worktree',
  clone: 'a clone',
  'in-place':
    'in the original folder; its present files are kept first, HEAD and index stay as they are',
};

const RESUME = 'resume: the agent goes on with a copy of its memory, cut at that moment';
const REPLAY = 'replay: the agent starts anew, without its own memory of the session';
const REPLAY_UNKNOWN = 'replay: the program starts anew';

const REASONS: Readonly<Record<ChoiceReason, string>> = {
  asked: '',
  before: ': the last one before that moment',
  later: ': a later one, for there is none before that moment',
};

/** What is about to happen, on standard error: for people. */
export function printPlan(plan: BranchPlan): void {
  const { snapshot, kind, name, destination, message, carried, carryMode } = plan;
  const rows = [
    ['branch', printable(name)],
    [
      'files',
      `of snapshot ${snapshot.id}, ${formatTime(snapshot.tsNs)}, ${printable(snapshot.label)}${REASONS[plan.why]}`,
    ],
    ['folder', `${printable(destination)} (${KINDS[kind]})`],
    ['memory', memoryText(plan)],
    ...(carried.length > 0 ? [carriedRow(carried, carryMode)] : []),
    ...(message === undefined ? [] : [['message', printable(onOneLine(message))]]),
  ];
  process.stderr.write(`${formatTable(rows)}\n`);
  printWarnings(warningsOf(plan));
}

/** All that a plan says a person has to know. */
export function warningsOf({ warnings, memory }: BranchPlan): readonly string[] {
  return [...warnings, ...memory.warnings];
}

export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`ah: ${warning}\n`);
}

/** While it is being made; Ctrl-C cancels it. */
export function stepText(step: MakingStep, detail: string): string {
  switch (step) {
    case 'files':
      return `Putting the files of “${printable(detail)}” there …`;
    case 'carrying':
      return `Bringing along ${printable(detail)} …`;
    case 'agent':
      return 'Bringing along the agent’s memory …';
  }
}

/** What is lost by it is said below, in warnings. */
function memoryText({ memory, agent }: BranchPlan): string {
  if (memory.method === 'resume') return RESUME;
  return agent === undefined ? REPLAY_UNKNOWN : REPLAY;
}

function carriedRow(carried: readonly string[], mode: CarryMode): string[] {
  const named = carriedText(carried);
  return mode === 'copy'
    ? ['brought along', named]
    : ['linked', `${named} (the original’s own: what changes there changes for both)`];
}

/** A table has a line for each thing. */
function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ⏎ ').replace(/\t/g, ' ');
}

function carriedText(carried: readonly string[]): string {
  const named = carried.slice(0, 3).map(printable).join(', ');
  return carried.length > 3 ? `${named} and ${counted(carried.length - 3, 'more thing')}` : named;
}

/** A plan, or what was made of it. */
export function branchJson(branch: BranchPlan | BranchRecord, isLaunched = false): string {
  if ('memory' in branch) {
    const { snapshot, passedOver, moment, kind, name, destination, message, memory, why } = branch;
    return stringifyExactJson({
      ...{ name, kind, destination, message, carried: branch.carried },
      ...{ method: memory.method, warnings: warningsOf(branch) },
      ...{ snapshot: snapshot.id, why, fromByte: moment.byte, fromTs: moment.timeNs },
      passedOver: passedOver.map(({ line, reason }) => ({ snapshot: line.id, reason })),
    });
  }
  const { id, name, kind, workspace, destination, from, launch, message } = branch;
  return stringifyExactJson({
    ...{ id, name, state: branch.state, kind, workspace, destination, message },
    ...{ fromSession: from.sessionId, snapshot: from.snapshotId, fromByte: from.byte },
    ...{ fromTs: from.timeNs, fromWorkspace: from.workspace, createdAtNs: branch.createdAtNs },
    ...(launch && {
      ...{ method: launch.method, warnings: launch.warnings, cmd: launch.cmd, cwd: launch.cwd },
      agentDetails: launch.details,
    }),
    launched: isLaunched,
  });
}
