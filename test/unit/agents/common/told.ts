import { inOrder, type AgentEvent } from '../../../../src/agents/common/events.ts';

/** What every agent has to say of a session, whatever its own words; in order. */
export function told(events: readonly AgentEvent[]): string[] {
  return inOrder(events).flatMap((event) => {
    if (event.kind === 'user.prompt') return [`prompt ${event.text.replaceAll('"', '')}`];
    if (event.kind === 'assistant.message') return [`message ${event.text}`];
    if (event.kind === 'tool.call') return [`call ${event.action}`];
    if (event.kind === 'tool.result') return [`result ${event.outcome}`];
    return [];
  });
}

/** Of the scenario `three-tools`. */
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
