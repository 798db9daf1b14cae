import { inOrder, type AgentEvent } from './events.ts';

/** An argument of a program may have 128 KiB on Linux, the new message with it; a model reads no more with care either. */
const MAX_BYTES = 48_000;
const MAX_ENTRY_LENGTH = 4000;
const encoder = new TextEncoder();

/** What was said and done, for an agent that starts without its memory. Nothing when there was nothing. */
export function replayText(events: readonly AgentEvent[]): string | undefined {
  const entries = inOrder(events).flatMap(entryOf);
  if (entries.length === 0) return undefined;
  const head = 'This continues an earlier session in this folder. What was said and done in it:';
  return [head, ...lastOf(entries)].join('\n\n');
}

/** How much of a session {@link replayText} would tell. */
export function replayCounts(events: readonly AgentEvent[]): {
  prompts: number;
  toolCalls: number;
} {
  const count = (kind: AgentEvent['kind']): number =>
    events.filter((event) => event.kind === kind).length;
  return { prompts: count('user.prompt'), toolCalls: count('tool.result') };
}

function entryOf(event: AgentEvent): string[] {
  if (event.kind === 'user.prompt') return [`User: ${shortened(event.text)}`];
  if (event.kind === 'assistant.message') return [`You: ${shortened(event.text)}`];
  if (event.kind === 'tool.call') return [`You called ${event.tool}: ${shortened(event.title)}`];
  if (event.kind === 'tool.result')
    return [`It ended (${event.outcome}): ${shortened(event.summary)}`];
  return [];
}

function shortened(text: string): string {
  return text.length <= MAX_ENTRY_LENGTH ? text : `${text.slice(0, MAX_ENTRY_LENGTH)} …`;
}

/** The last ones that fit. */
function lastOf(entries: readonly string[]): string[] {
  let length = 0;
  const sizeOf = (entry: string): number => encoder.encode(entry).length;
  const from = entries.findLastIndex((entry) => (length += sizeOf(entry)) > MAX_BYTES) + 1;
  return from === 0 ? [...entries] : ['(The beginning is left out.)', ...entries.slice(from)];
}
