import {
  inOrder,
  type AgentEvent,
  type ApprovalRequested,
  type BranchCreated,
  type ToolFinished,
} from '../../agents/events.ts';
import { exactInput } from '../../agents/exactInput.ts';
import { durationMs, turnsOf, type Turn } from '../../agents/turns.ts';
import type { Moment, MomentKind } from '../../replay/moment.ts';
import { plainTitle } from '../../replay/recordedMoments.ts';

/** A moment whose place in the output may have to be found by its time. */
export interface MomentDraft extends Omit<Moment, 'byteOffset'> {
  readonly byteOffset: number | undefined;
}

const MAX_DETAIL_LENGTH = 400;
/** Longer answers are files, and better read as such. */
const MAX_TEXT_LENGTH = 50_000;

/** What an agent did, as moments: one for each prompt, answer, tool, question and failure. What came of a tool is said with it. */
export function agentMoments(events: readonly AgentEvent[]): MomentDraft[] {
  const ordered = inOrder(events);
  const results = new Map<string, ToolFinished>();
  const decisions = new Map<string, string>();
  const turns = new Map(turnsOf(ordered).map((turn) => [turn.id, turn]));
  for (const event of ordered) {
    if (event.kind === 'tool.result') results.set(event.callId, event);
    if (event.kind === 'approval.resolved') decisions.set(event.callId, event.decision);
  }
  return ordered.flatMap((event): MomentDraft[] => {
    switch (event.kind) {
      case 'user.prompt':
        return [draft(event, 'prompt', event.text, turnText(turns.get(event.id)))];
      case 'assistant.message':
        return [draft(event, 'message', event.text)];
      case 'tool.call': {
        const result = results.get(event.callId);
        const isError = result !== undefined && result.outcome !== 'ok';
        const title = [event.tool, event.title].filter(Boolean).join(' ');
        return [draft(event, 'tool', title, result && resultText(result), isError)];
      }
      case 'approval.requested':
        return [approval(event, decisions.get(event.callId) ?? results.get(event.callId)?.outcome)];
      case 'error':
        return [draft(event, 'error', event.message, undefined, true)];
      case 'context.compacted':
        return [draft(event, 'mark', 'Context compacted', event.trigger)];
      case 'checkpoint':
        return [draft(event, 'mark', event.label || 'Checkpoint')];
      case 'timeline.sessionBranch.created':
        return [draft(event, 'branch', branchTitle(event), event.method)];
      case 'tool.result':
      case 'approval.resolved':
      case 'session.started':
      case 'session.exited':
      case 'assistant.delta':
      case 'turn.completed':
      case 'status.changed':
      case 'tokens.used':
      case 'heartbeat':
      case 'unknown':
        return [];
    }
  });
}

function draft(
  event: AgentEvent,
  kind: MomentKind,
  text: string,
  detail?: string,
  isError = false,
): MomentDraft {
  const title = plainTitle(text) || kind;
  return {
    ...{ id: `event-${event.id}`, kind, tsNs: event.timeNs, byteOffset: event.byte, title },
    ...(text.trim() !== title && text !== '' && { text: text.slice(0, MAX_TEXT_LENGTH) }),
    ...(detail !== undefined && detail !== '' && { detail: detail.slice(0, MAX_DETAIL_LENGTH) }),
    ...(isError && { isError }),
  };
}

/** What is asked, word for word, and what came of it. */
function approval(event: ApprovalRequested, decision: string | undefined): MomentDraft {
  const exact = exactInput(event.tool, event.input);
  return {
    ...draft(event, 'approval', event.title, decision),
    ...(exact !== '' && { exact }),
    ...(decision === undefined && { isOpen: true }),
  };
}

/** What became of a prompt, in a line. */
function turnText(turn: Turn | undefined): string | undefined {
  if (!turn) return undefined;
  const took = durationMs(turn);
  const { input, output } = turn.tokens;
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? '' : count === 1 ? `1 ${one}` : `${count} ${many}`;
  return [
    turn.outcome === undefined || turn.outcome === 'done' ? '' : turn.outcome,
    took === undefined ? '' : `${(took / 1000).toFixed(1)} s`,
    counted(turn.toolCount, 'tool', 'tools'),
    counted(turn.approvals.length, 'approval', 'approvals'),
    counted(turn.files.length, 'file changed', 'files changed'),
    counted(input + output, 'token', 'tokens'),
    plainTitle(turn.answer),
  ]
    .filter(Boolean)
    .join(' · ');
}

function resultText({ outcome, exitCode, durationMs, files, summary }: ToolFinished): string {
  const parts = [
    outcome === 'ok' ? '' : outcome,
    exitCode === undefined || exitCode === 0 ? '' : `exit ${exitCode}`,
    durationMs === undefined ? '' : `${(durationMs / 1000).toFixed(1)} s`,
    files.length === 0 ? '' : files.length === 1 ? files[0]! : `${files.length} files`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : plainTitle(summary);
}

function branchTitle({ details }: BranchCreated): string {
  const name = (details as { readonly name?: unknown } | null)?.name;
  return typeof name === 'string' && name !== '' ? `Branch ${name}` : 'Branch';
}
