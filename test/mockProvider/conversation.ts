/** One step of a conversation as an API's request tells it, whatever the API. */
export type Step =
  /** What the person (or the agent in the person's name) said. */
  | { readonly by: 'user'; readonly text: string }
  /** One answer of the model, its tool calls included. */
  | { readonly by: 'model'; readonly text: string; readonly calls: readonly string[] }
  | { readonly by: 'tool'; readonly callId: string; readonly output: string };

/** A request to a model, as far as the script cares. */
export interface Conversation {
  readonly model: string;
  readonly steps: readonly Step[];
  /** Names of the tools that the agent offers; none in side requests (titles, routing). */
  readonly toolNames: readonly string[];
  readonly isStreamed: boolean;
  /** The caller wants JSON of this shape, not prose. */
  readonly jsonSchema: unknown;
}

/** A call that an answer makes, in the words of the agent. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** An object, or the text of a free-form tool. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** An answer in the words of the agent, ready to be put into the words of the API. */
export interface Reply {
  /** Unique in its conversation, and the same in every run. */
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** How an API is spoken. */
export interface ModelApi {
  readonly name: 'anthropic' | 'responses' | 'gemini';
  /** Whether a request to this path is a call of the model. */
  isModelCall(path: string): boolean;
  /** @param path with its query */
  conversation(body: unknown, path: string): Conversation;
  /** The events of a stream, each as it goes over the wire. */
  stream(reply: Reply): readonly string[];
  /** The same as one JSON document. */
  whole(reply: Reply): unknown;
  /** The body of an error with this status. */
  error(status: number): unknown;
}

/** Figures that depend on nothing but the text: tests compare them. */
export function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}
