import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A request of the model, independent of the agent; `tools.ts` converts it. */
export type ToolRequest =
  | {
      readonly kind: 'shell';
      readonly command: string;
      /** Whether to leave the agent's sandbox, which the user has to approve. */
      readonly isEscalated: boolean;
    }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | {
      readonly kind: 'edit';
      readonly path: string;
      readonly before: string;
      readonly after: string;
    };

/** A fault of an answer, which happens `times` times. */
export type Fault = (
  | { readonly kind: 'status'; readonly status: number }
  /** The stream ends, without an error, after this many events. */
  | { readonly kind: 'partial'; readonly afterEvents: number }
  /** The connection breaks after this many events. */
  | { readonly kind: 'hangUp'; readonly afterEvents: number }
) & { readonly times: number };

export interface Answer {
  readonly text: string;
  readonly tools: readonly ToolRequest[];
  /** The delay before the first byte. */
  readonly latencyMs: number;
  /** The delay between the events of a stream. */
  readonly eventDelayMs: number;
  readonly fault: Fault | undefined;
}

/** The answers to one prompt, in order; the last one has no tool call. */
export interface ScriptedTurn {
  /** The turn answers prompts that contain this text. */
  readonly prompt: string;
  readonly answers: readonly Answer[];
}

export interface Scenario {
  readonly turns: readonly ScriptedTurn[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses a handwritten scenario. @throws an error with the place of the first mistake */
export function parseScenario(text: string): Scenario {
  const turns = list(fields(parse(text), 'scenario', ['turns'])['turns'], 'turns');
  return { turns: turns.map((turn, index) => parseTurn(turn, `turns[${index}]`)) };
}

/** Reads a scenario of the `scenarios` folder, and replaces `{name}` by values, such as `{cwd}`. */
export function namedScenario(
  name: string,
  values: Readonly<Record<string, string>> = {},
): Scenario {
  const text = readFileSync(`${import.meta.dirname}/scenarios/${name}.yaml`, 'utf8');
  return parseScenario(text.replace(/\{(\w+)\}/g, (all, key: string) => values[key] ?? all));
}

function parseTurn(value: unknown, place: string): ScriptedTurn {
  const turn = fields(value, place, ['prompt', 'answers']);
  const answers = list(turn['answers'], `${place}.answers`).map((answer, index) =>
    parseAnswer(answer, `${place}.answers[${index}]`),
  );
  if (answers.length === 0) throw new Error(`${place} has no answer`);
  if (answers.at(-1)!.tools.length > 0) throw new Error(`${place} ends with a tool`);
  return { prompt: string(turn['prompt'], `${place}.prompt`), answers };
}

function parseAnswer(value: unknown, place: string): Answer {
  const answer = fields(value, place, ['text', 'tools', 'latencyMs', 'eventDelayMs', 'fault']);
  const tools = answer['tools'] === undefined ? [] : list(answer['tools'], `${place}.tools`);
  return {
    text: answer['text'] === undefined ? '' : string(answer['text'], `${place}.text`),
    tools: tools.map((tool, index) => parseTool(tool, `${place}.tools[${index}]`)),
    latencyMs: count(answer['latencyMs'] ?? 0, `${place}.latencyMs`),
    eventDelayMs: count(answer['eventDelayMs'] ?? 0, `${place}.eventDelayMs`),
    fault:
      answer['fault'] === undefined ? undefined : parseFault(answer['fault'], `${place}.fault`),
  };
}

function parseTool(value: unknown, place: string): ToolRequest {
  const tool = fields(value, place, ['shell', 'escalated', 'write', 'edit']);
  if (typeof tool['shell'] === 'string') {
    const isEscalated = tool['escalated'] === true;
    return { kind: 'shell', command: tool['shell'], isEscalated };
  }
  const text = (inner: Fields, name: string): string => string(inner[name], `${place}.${name}`);
  if (tool['write'] !== undefined) {
    const write = fields(tool['write'], place, ['path', 'content']);
    return { kind: 'write', path: text(write, 'path'), content: text(write, 'content') };
  }
  const edit = fields(tool['edit'], place, ['path', 'before', 'after']);
  return {
    kind: 'edit',
    path: text(edit, 'path'),
    before: text(edit, 'before'),
    after: text(edit, 'after'),
  };
}

function parseFault(value: unknown, place: string): Fault {
  const fault = fields(value, place, ['status', 'partial', 'hangUp', 'times']);
  const times = count(fault['times'] ?? 1, `${place}.times`);
  if (fault['status'] !== undefined)
    return { kind: 'status', status: count(fault['status'], `${place}.status`), times };
  if (fault['partial'] !== undefined)
    return { kind: 'partial', afterEvents: count(fault['partial'], `${place}.partial`), times };
  return { kind: 'hangUp', afterEvents: count(fault['hangUp'], `${place}.hangUp`), times };
}

function fields(value: unknown, place: string, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${place} is not a mapping`);
  const strange = Object.keys(value).find((name) => !known.includes(name));
  if (strange !== undefined) throw new Error(`${place} has an unknown field "${strange}"`);
  return value as Fields;
}

function list(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${place} is not a list`);
  return value;
}

function string(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new Error(`${place} is not a text`);
  return value;
}

function count(value: unknown, place: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new Error(`${place} is not a whole number`);
  return value as number;
}
