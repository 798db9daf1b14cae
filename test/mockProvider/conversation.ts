/** One step of a conversation in a request, independent of the API. */
export type Step =
  /** A message of the user, or of the agent in the user's name. */
  | { readonly by: 'user'; readonly text: string }
  /** One answer of the model, including its tool calls. */
  | { readonly by: 'model'; readonly text: string; readonly calls: readonly string[] }
  | { readonly by: 'tool'; readonly callId: string; readonly output: string };

/** The parts of a model request that the script uses. */
export interface Conversation {
  readonly model: string;
  readonly steps: readonly Step[];
  /** Names of the tools that the agent offers; none in side requests (titles, routing). */
  readonly toolNames: readonly string[];
  readonly isStreamed: boolean;
  /** The JSON schema of the requested answer, if any. */
  readonly jsonSchema: unknown;
}

/** A tool call of an answer, with the agent's tool names. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** An object, or the text of a free-form tool. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** An answer with the agent's tool names, to be encoded for the API. */
export interface Reply {
  /** Unique in the conversation, and reproducible. */
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** An API's encoding. */
export interface ModelApi {
  readonly name: 'anthropic' | 'responses' | 'gemini';
  /** Whether a request to this path is a model request. */
  isModelCall(path: string): boolean;
  /** @param path with its query */
  conversation(body: unknown, path: string): Conversation;
  /** The encoded events of a stream. */
  stream(reply: Reply): readonly string[];
  /** The answer as one JSON document. */
  whole(reply: Reply): unknown;
  /** The body of an error with this status. */
  error(status: number): unknown;
}

/** Token counts that depend only on the text, so that tests can compare them. */
export function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}
