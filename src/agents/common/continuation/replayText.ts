import { inOrder, type AgentEvent } from '../events/events.ts';

/** Linux limits an argument to 128 KiB, including the new message; models skim longer texts. */
const MAX_BYTES = 48_000;
const MAX_ENTRY_LENGTH = 4000;
const encoder = new TextEncoder();

/**
 * Tells an agent that starts without its memory what happened in the session; undefined for an
 * empty session.
 */
export function replayText(events: readonly AgentEvent[]): string | undefined {
  const entries = inOrder(events).flatMap(entryOf);
  if (entries.length === 0) return undefined;
  const head =
    'This continues an earlier session in this folder. Its prompts, answers and tool calls:';
  return [head, ...latest(entries)].join('\n\n');
}

/** Counts the prompts and tool calls in {@link replayText}. */
export function replayCounts(events: readonly AgentEvent[]): {
  prompts: number;
  toolCalls: number;
} {
  const count = (kind: AgentEvent['kind']): number =>
    events.filter((event) => event.kind === kind).length;
  return { prompts: count('user.prompt'), toolCalls: count('tool.result') };
}

function entryOf(event: AgentEvent): string[] {
  if (event.kind === 'user.prompt') return [`User: ${limited(event.text)}`];
  if (event.kind === 'assistant.message') return [`You: ${limited(event.text)}`];
  if (event.kind === 'tool.call') return [`You called ${event.tool}: ${limited(event.title)}`];
  if (event.kind === 'tool.result')
    return [`It ended (${event.outcome}): ${limited(event.summary)}`];
  return [];
}

function limited(text: string): string {
  return text.length <= MAX_ENTRY_LENGTH ? text : `${text.slice(0, MAX_ENTRY_LENGTH)} …`;
}

/** The latest entries that fit into {@link MAX_BYTES}. */
function latest(entries: readonly string[]): string[] {
  let length = 0;
  const sizeOf = (entry: string): number => encoder.encode(entry).length;
  const from = entries.findLastIndex((entry) => (length += sizeOf(entry)) > MAX_BYTES) + 1;
  return from === 0 ? [...entries] : ['(The beginning is left out.)', ...entries.slice(from)];
}
