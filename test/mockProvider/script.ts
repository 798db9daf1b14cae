import type { Conversation, Reply } from './conversation.ts';
import type { Answer, Scenario, ScriptedTurn } from './scenario.ts';
import { toolCall } from './tools.ts';

/** The next answer for a conversation. */
export interface Due {
  readonly turn: ScriptedTurn;
  readonly index: number;
  readonly answer: Answer;
}

/** Some agents offer tools and quote the prompt when they ask for a title. */
const TITLE_REQUEST = /Do not answer the request\./;

/** A request about a conversation, such as for its title, which the script does not answer. */
export function isSideRequest({ toolNames, steps }: Conversation): boolean {
  if (toolNames.length === 0) return true;
  return steps.some((step) => step.by === 'user' && TITLE_REQUEST.test(step.text));
}

/**
 * The answer depends only on the request: the turn is that of the last scripted prompt, and its
 * index is the number of answers since. So resumed, trimmed and repeated conversations work.
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

/** IDs count the answers of the conversation, so they are unique and reproducible. */
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

/** Answers side requests of agents: titles, topics, the choice of a model. */
export function sideReply(conversation: Conversation): Reply {
  const said =
    conversation.jsonSchema === undefined
      ? 'A scripted session'
      : JSON.stringify(example(conversation.jsonSchema));
  return { id: 'side', model: conversation.model, text: said, calls: [] };
}

/** The simplest value of a JSON schema. */
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
