import type { ExactValue } from '../../../../src/base/exactJson.ts';
import type {
  AgentEvent,
  AgentStatus,
  ApprovalRequested,
  EventSource,
  ToolCalled,
  ToolFinished,
  UserPrompt,
} from '../../../../src/agents/common/events/events.ts';
import { toolAction, toolTitle } from '../../../../src/agents/common/events/toolAction.ts';

let next = 0;

interface Common {
  readonly id?: string;
  readonly source?: EventSource;
  readonly atMs?: number;
}

function base({ id = `e${++next}`, source = 'transcript', atMs = 0 }: Common) {
  return {
    id,
    source,
    confidence: 'high' as const,
    agent: 'claudeCode',
    agentSession: 's1',
    timeNs: BigInt(atMs) * 1_000_000n,
  };
}

export function prompt(text: string, common: Common = {}): UserPrompt {
  return { ...base(common), kind: 'user.prompt', text };
}

export function message(text: string, common: Common = {}): AgentEvent {
  return { ...base(common), kind: 'assistant.message', text };
}

export function call(
  callId: string,
  tool: string,
  input: ExactValue,
  common: Common = {},
): ToolCalled {
  return {
    ...base(common),
    kind: 'tool.call',
    callId,
    tool,
    input,
    action: toolAction(tool),
    title: toolTitle(tool, input),
  };
}

export function result(
  callId: string,
  more: Partial<ToolFinished> = {},
  common: Common = {},
): ToolFinished {
  return {
    ...base(common),
    kind: 'tool.result',
    callId,
    tool: 'Bash',
    outcome: 'ok',
    summary: '',
    files: [],
    ...more,
  };
}

export function asked(
  callId: string,
  tool: string,
  input: ExactValue,
  common: Common = {},
): ApprovalRequested {
  const title = toolTitle(tool, input);
  return { ...base(common), kind: 'approval.requested', callId, tool, input, title };
}

export function resolved(
  callId: string,
  decision: 'allowed' | 'denied',
  common: Common = {},
): AgentEvent {
  return { ...base(common), kind: 'approval.resolved', callId, decision };
}

export function completed(
  common: Common = {},
  outcome: 'done' | 'interrupted' = 'done',
): AgentEvent {
  return { ...base(common), kind: 'turn.completed', outcome };
}

export function exited(common: Common = {}): AgentEvent {
  return { ...base({ source: 'host', ...common }), kind: 'session.exited', reason: 'exit' };
}

export function tokens(input: number, output: number, common: Common = {}): AgentEvent {
  return { ...base(common), kind: 'tokens.used', input, output, cacheRead: 0 };
}

export function title(status: AgentStatus, atMs: number): AgentEvent {
  const from = base({ source: 'osc', atMs });
  return { ...from, confidence: 'medium', kind: 'status.changed', status, evidence: '' };
}

/** The recorder saw that a turn goes on after a pause of the capture. */
export function turnResumed(atMs: number): AgentEvent {
  const from = base({ source: 'host', atMs });
  return { ...from, kind: 'status.changed', status: 'running', evidence: '' };
}
