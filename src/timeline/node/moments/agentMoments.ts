import * as l10n from '@vscode/l10n';
import {
  inOrder,
  isTurnResumed,
  type AgentEvent,
  type ApprovalRequested,
  type BranchCreated,
  type ToolFinished,
} from '../../../agents/common/events/events.ts';
import { exactInput } from '../../../agents/common/events/exactInput.ts';
import { turnsOf, type Turn } from '../../../agents/common/turns/turns.ts';
import { plainText, seenText } from '../../../base/plainText.ts';
import type { Moment, MomentKind } from '../../common/moments/moment.ts';
import { plainTitle } from '../../common/moments/recordedMoments.ts';
import { SessionPaths } from './sessionPaths.ts';
import { knownWord, resultText, namedTitle, turnText } from './agentMomentText.ts';

/** A moment whose byte offset may be unknown; its time then determines the offset. */
export interface MomentDraft extends Omit<Moment, 'byteOffset'> {
  readonly byteOffset: number | undefined;
  readonly tool?: ToolFacts;
  /** The turn that a prompt began. */
  readonly agentTurn?: Turn;
}

/** Facts about a tool call that its moment does not show. */
export interface ToolFacts {
  /** The title as the agent reported it. */
  readonly title: string;
  /** How many changed files the agent reported. */
  readonly namedFiles: number;
}

const MAX_DETAIL_LENGTH = 400;
/** A message up to this length is shown in the row of the tool call after it. */
const MAX_INTRODUCTION_LENGTH = 120;
/** Limit for one text in a transcript. */
const MAX_TEXT_LENGTH = 50_000;

/** One moment for each prompt, answer, tool call (with its result), approval and error. */
export function agentMoments(
  events: readonly AgentEvent[],
  paths = new SessionPaths([]),
): MomentDraft[] {
  const ordered = inOrder(events);
  const results = new Map<string, ToolFinished>();
  const decisions = new Map<string, string>();
  const calls = new Map<string, string>();
  const introductions = introductionsOf(ordered);
  const turns = new Map(turnsOf(ordered).map((turn) => [turn.id, turn]));
  for (const event of ordered) {
    if (event.kind === 'tool.call') calls.set(event.callId, event.id);
    if (event.kind === 'tool.result') results.set(event.callId, event);
    if (event.kind === 'approval.resolved') decisions.set(event.callId, event.decision);
  }
  return ordered.flatMap((event): MomentDraft[] => {
    switch (event.kind) {
      case 'user.prompt': {
        const turn = turns.get(event.id);
        const detail = turn && turnDetail(turn, turn.files.length);
        return [
          { ...draft(event, 'prompt', event.text, detail), ...(turn && { agentTurn: turn }) },
        ];
      }
      case 'assistant.message':
        return [partOf(introductions.get(event.id), draft(event, 'message', event.text))];
      case 'tool.call': {
        const result = results.get(event.callId);
        const isError = result !== undefined && result.outcome !== 'ok';
        const title = namedTitle(event.tool, paths.text(event.title));
        const tool = { title: event.title, namedFiles: result?.files.length ?? 0 };
        const detail = result && resultText(result, paths);
        return [{ ...draft(event, 'tool', title, detail, isError), tool }];
      }
      case 'approval.requested': {
        const decision = decisions.get(event.callId) ?? impliedDecision(results.get(event.callId));
        const asked = approval(event, paths.text(event.title), decision);
        return [partOf(calls.get(event.callId), asked)];
      }
      case 'error':
        return [draft(event, 'error', event.message, undefined, true)];
      case 'context.compacted':
        return [draft(event, 'mark', l10n.t('Context compacted'), knownWord(event.trigger))];
      case 'status.changed':
        return isTurnResumed(event) ? [resumedTurn(event)] : [];
      case 'checkpoint':
        return [draft(event, 'mark', event.label || l10n.t('Checkpoint'))];
      case 'timeline.sessionBranch.created':
        return [
          {
            ...draft(event, 'branch', branchTitle(event), event.method),
            ...(event.toSession !== '' && { branchId: event.toSession }),
          },
        ];
      case 'tool.result':
      case 'approval.resolved':
      case 'session.started':
      case 'session.exited':
      case 'assistant.delta':
      case 'turn.completed':
      case 'tokens.used':
      case 'heartbeat':
      case 'unknown':
        return [];
    }
  });
}

function resumedTurn(event: AgentEvent): MomentDraft {
  const detail = l10n.t('The recording was paused in the middle of this turn.');
  return draft(event, 'mark', l10n.t('The rest of this turn lacks the agent’s messages'), detail);
}

/** The detail of a prompt. */
export function turnDetail(turn: Turn, fileCount: number | undefined): string {
  return plainText(turnText(turn, fileCount), MAX_DETAIL_LENGTH);
}

/** Maps each short message right before a tool call to that call, both by event ID. */
function introductionsOf(ordered: readonly AgentEvent[]): Map<string, string> {
  const introductions = new Map<string, string>();
  let message: string | undefined;
  for (const event of ordered) {
    if (event.kind === 'assistant.message') message = isShort(event.text) ? event.id : undefined;
    if (event.kind === 'user.prompt' || event.kind === 'error') message = undefined;
    if (event.kind !== 'tool.call') continue;
    if (message !== undefined) introductions.set(message, event.id);
    message = undefined;
  }
  return introductions;
}

function isShort(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= MAX_INTRODUCTION_LENGTH && !trimmed.includes('\n');
}

/** A tool that ran was allowed, if only by a rule. */
function impliedDecision(result: ToolFinished | undefined): string | undefined {
  const hasRun = result?.outcome === 'ok' || result?.outcome === 'failed';
  return hasRun ? 'allowed' : result?.outcome;
}

function partOf(toolEvent: string | undefined, moment: MomentDraft): MomentDraft {
  return toolEvent === undefined ? moment : { ...moment, partOf: momentId(toolEvent) };
}

function momentId(event: string): string {
  return `event-${event}`;
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
    id: momentId(event.id),
    kind,
    tsNs: event.timeNs,
    byteOffset: event.byte,
    title,
    ...(text.trim() !== title && text !== '' && { text: text.slice(0, MAX_TEXT_LENGTH) }),
    ...(detail !== undefined && detail !== '' && { detail: plainText(detail, MAX_DETAIL_LENGTH) }),
    ...(isError && { isError }),
  };
}

/** The moment of an approval, with the full request and the decision. */
function approval(
  event: ApprovalRequested,
  title: string,
  decision: string | undefined,
): MomentDraft {
  const exact = seenText(exactInput(event.tool, event.input));
  return {
    ...draft(event, 'approval', title, decision && knownWord(decision)),
    ...(exact !== '' && { exact }),
    ...(decision === undefined && { isOpen: true }),
  };
}

function branchTitle({ details }: BranchCreated): string {
  const name = (details as { readonly name?: unknown } | null)?.name;
  return typeof name === 'string' && name !== '' ? l10n.t('Branch {0}', name) : l10n.t('Branch');
}
