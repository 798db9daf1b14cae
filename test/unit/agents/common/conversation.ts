import { inOrder, type AgentEvent } from '../../../../src/agents/common/events/events.ts';

/** The conversation of a session, in order and in the same form for all agents. */
export function conversationOf(events: readonly AgentEvent[]): string[] {
  return inOrder(events).flatMap((event) => {
    if (event.kind === 'user.prompt') return [`prompt ${event.text.replaceAll('"', '')}`];
    if (event.kind === 'assistant.message') return [`message ${event.text}`];
    if (event.kind === 'tool.call') return [`call ${event.action}`];
    if (event.kind === 'tool.result') return [`result ${event.outcome}`];
    return [];
  });
}

/** The conversation of the scenario `three-tools`. */
export const THREE_TOOLS = [
  'prompt @@three-tools please',
  'message First I look around.',
  'call shell',
  'result ok',
  'message Then I write a file.',
  'call edit',
  'result ok',
  'call edit',
  'result ok',
  'message All three are done.',
];
