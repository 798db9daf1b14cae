import { shortened } from '../bounded.ts';
import type { AgentEvent } from './events.ts';
import { exactInput } from './exactInput.ts';
import { redactSecrets } from '../../../redaction/redact.ts';

export const FACT_KINDS = ['prompt', 'answer', 'tool', 'approval', 'failure', 'end'] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** A redacted event text, as the activity view lists and the search finds it. */
export interface Fact {
  readonly kind: FactKind;
  readonly text: string;
}

/** Limit for the text of one fact; the events file has the full text. */
const MAX_CHARACTERS = 16_000;

/** Converts an event to a fact; undefined for events that are not shown. */
export function factOf(event: AgentEvent, secrets: readonly string[] = []): Fact | undefined {
  const fact = plainFact(event);
  if (!fact || fact.text.trim() === '') return undefined;
  return { kind: fact.kind, text: shortened(redactSecrets(fact.text, secrets), MAX_CHARACTERS) };
}

function plainFact(event: AgentEvent): Fact | undefined {
  switch (event.kind) {
    case 'user.prompt':
      return { kind: 'prompt', text: event.text };
    case 'assistant.message':
      return { kind: 'answer', text: event.text };
    case 'tool.call':
      return { kind: 'tool', text: withExact(event.title, event.tool, event.input) };
    case 'approval.requested':
      return { kind: 'approval', text: withExact(event.title, event.tool, event.input) };
    case 'tool.result':
      return event.outcome === 'failed' ? { kind: 'failure', text: event.summary } : undefined;
    case 'error':
      return { kind: 'failure', text: event.message };
    case 'turn.completed':
      return { kind: 'end', text: event.answer ?? event.outcome };
    case 'session.started':
    case 'session.exited':
    case 'assistant.delta':
    case 'approval.resolved':
    case 'status.changed':
    case 'context.compacted':
    case 'tokens.used':
    case 'checkpoint':
    case 'timeline.sessionBranch.created':
    case 'heartbeat':
    case 'unknown':
      return undefined;
  }
}

/** The title, followed by the exact input if the title leaves something out. */
function withExact(title: string, tool: string, input: Parameters<typeof exactInput>[1]): string {
  const exact = exactInput(tool, input);
  return exact === title || exact === '' ? title : `${title}\n${exact}`;
}
