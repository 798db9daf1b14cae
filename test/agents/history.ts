import type { LoggedCall } from '../mockProvider/mockProvider.ts';

/** Messages that agents add in the model's name when they resume after a tool call. */
const FILLERS = new Set([
  'No response requested.',
  '[The previous response was interrupted before it completed.]',
]);

/**
 * The conversation in a request to the provider, one line per step, without environment messages.
 */
export function historyOf(
  { conversation }: LoggedCall,
  [from, to]: readonly [string, string],
): string[] {
  return conversation.steps.flatMap((step) => {
    if (step.by === 'user') {
      const said = /@@[\w-]+[^"\n<]*/.exec(step.text)?.[0];
      return said === undefined ? [] : [`user ${said.trim()}`];
    }
    if (step.by === 'tool') return [`tool ${step.callId} ${step.output.replaceAll(from, to)}`];
    if (FILLERS.has(step.text.trim()) && step.calls.length === 0) return [];
    return [`model ${step.text} ${step.calls.join(' ')}`];
  });
}
