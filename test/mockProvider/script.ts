import type { Conversation, Reply } from './conversation.ts';
import type { Answer, Scenario, ScriptedTurn } from './scenario.ts';
import { toolCall } from './tools.ts';

/** Which answer a conversation is due. */
export interface Due {
  readonly turn: ScriptedTurn;
  readonly index: number;
  readonly answer: Answer;
}

/** Some offer their tools even when they only ask what to call a conversation, and quote its prompt. */
const TITLE_REQUEST = /Do not answer the request\./;

/** About a conversation, and no part of one: nothing of the script is due. */
export function isSideRequest({ toolNames, steps }: Conversation): boolean {
  if (toolNames.length === 0) return true;
  return steps.some((step) => step.by === 'user' && TITLE_REQUEST.test(step.text));
}

/**
 * The answer follows from the request alone: the turn is that of the last prompt that the script knows, its place in the
 * turn is how often the model has answered since. So a resumed, trimmed or repeated conversation gets what it should.
 */
export function dueAnswer(scenario: Scenario, conversation: Conversation): Due | undefined {
  const { steps } = conversation;
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at]!;
    if (step.by !== 'user') continue;
    const turn = scenario.turns.find(({ prompt }) => step.text.includes(prompt));
    if (!turn) continue;
    const answered = steps.slice(at).filter(({ by }) => by === 'model').length;
    const index = Math.min(answered, turn.answers.length - 1);
    return { turn, index, answer: turn.answers[index]! };
  }
  return undefined;
}

/** Ids count the answers of the conversation: unique in it, and the same in every run. */
export function replyOf(answer: Answer, conversation: Conversation): Reply {
  const nth = conversation.steps.filter(({ by }) => by === 'model').length + 1;
  const id = `mock${String(nth).padStart(3, '0')}`;
  return {
    id,
    model: conversation.model,
    text: answer.text,
    calls: answer.tools.map((tool, index) =>
      toolCall(tool, conversation.toolNames, `call_${id}_${index + 1}`),
    ),
  };
}

/** What agents ask on the side: titles, topics, which model to take. */
export function sideReply(conversation: Conversation): Reply {
  const said =
    conversation.jsonSchema === undefined
      ? 'A scripted session'
      : JSON.stringify(example(conversation.jsonSchema));
  return { id: 'side', model: conversation.model, text: said, calls: [] };
}

/** The plainest value that fits a JSON schema. */
function example(schema: unknown): unknown {
  const {
    type,
    properties,
    enum: choices,
    items,
  } = schema as {
    type?: string;
    properties?: Record<string, unknown>;
    enum?: unknown[];
    items?: unknown;
  };
  if (choices) return choices[0];
  switch ((type ?? '').toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, property]) => [name, example(property)]),
      );
    case 'array':
      return items === undefined ? [] : [example(items)];
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    default:
      return 'A scripted session';
  }
}
