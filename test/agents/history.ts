import type { LoggedCall } from '../mockProvider/mockProvider.ts';

/** What agents put into a conversation themselves, in the model's name, when it goes on after a tool. */
const FILLERS = new Set([
  'No response requested.',
  '[The previous response was interrupted before it completed.]',
]);

/** A conversation as the provider was told it, a line per step; what agents tell of their surroundings is left out. */
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
