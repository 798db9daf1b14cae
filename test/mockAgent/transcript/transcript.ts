import type { Random } from '../random.ts';
import type { TranscriptFile } from './transcriptFile.ts';

export interface TranscriptIdentity {
  readonly sessionId: string;
  /** The agent's working folder. */
  readonly cwd: string;
  /** The record before the first one; `null` in a new session. */
  readonly parentUuid: string | null;
}

/** Hears of everything that is written to the transcript, as Claude Code's hooks do. */
export interface TranscriptListener {
  prompted(promptId: string, text: string): Promise<void>;
  said(text: string): void;
  toolStarts(id: string, name: string, input: object): Promise<void>;
  permissionAsked(id: string, name: string, input: object): Promise<void>;
  permissionDenied(id: string, name: string, input: object): Promise<void>;
  toolEnded(id: string, name: string, input: object, result: ToolResult): Promise<void>;
  turnEnded(promptId: string): Promise<void>;
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

interface RecordedCall {
  readonly uuid: string;
  readonly name: string;
  readonly input: object;
  wasAsked: boolean;
}

/** The agent's transcript, in the format of Claude Code. */
export class Transcript {
  readonly #file: TranscriptFile;
  readonly #random: Random;
  readonly #identity: TranscriptIdentity;
  readonly #nowMs: () => number;
  #parentUuid: string | null;
  #promptId: string;
  /** Text and tool calls up to the next result belong to one message of the provider. */
  #messageId: string | undefined;
  readonly #calls = new Map<string, RecordedCall>();
  readonly #listener: TranscriptListener | undefined;

  constructor(
    file: TranscriptFile,
    random: Random,
    identity: TranscriptIdentity,
    nowMs: () => number,
    listener?: TranscriptListener,
  ) {
    this.#listener = listener;
    this.#file = file;
    this.#random = random;
    this.#identity = identity;
    this.#nowMs = nowMs;
    this.#parentUuid = identity.parentUuid;
    this.#promptId = random.uuid();
  }

  async prompt(text: string): Promise<void> {
    this.#promptId = this.#random.uuid();
    await this.#listener?.prompted(this.#promptId, text);
    await this.#user(text, { permissionMode: 'default' });
  }

  async message(text: string): Promise<void> {
    await this.#assistant({ type: 'text', text });
    this.#listener?.said(text);
  }

  /** @returns the id that the result must name */
  async toolUse(name: string, input: object): Promise<string> {
    const id = this.#random.providerId('toolu');
    const uuid = await this.#assistant({ type: 'tool_use', id, name, input });
    this.#calls.set(id, { uuid, name, input, wasAsked: false });
    await this.#listener?.toolStarts(id, name, input);
    return id;
  }

  /** The agent asks the user before it uses the tool. */
  async permissionAsked(id: string): Promise<void> {
    const call = this.#calls.get(id);
    if (!call) return;
    call.wasAsked = true;
    await this.#listener?.permissionAsked(id, call.name, call.input);
  }

  async toolResult(id: string, text: string, isError: boolean): Promise<void> {
    const call = this.#calls.get(id);
    if (call) await this.#listener?.toolEnded(id, call.name, call.input, { text, isError });
    await this.#result(id, text, isError, 'accept');
  }

  /** The user said no: the turn ends with the words that the real agent uses. */
  async toolRejected(id: string): Promise<void> {
    const call = this.#calls.get(id);
    if (call) await this.#listener?.permissionDenied(id, call.name, call.input);
    await this.#result(id, "The user doesn't want to proceed with this tool use.", true, 'reject');
    await this.#user([{ type: 'text', text: '[Request interrupted by user for tool use]' }], {});
  }

  /** @param durationMs of the turn */
  async turnEnded(durationMs: number): Promise<void> {
    await this.#append({ type: 'system', subtype: 'turn_duration', durationMs, isMeta: false });
    await this.#listener?.turnEnded(this.#promptId);
  }

  /** Cuts the file as the scenario says. Must be the last write. */
  async end(): Promise<void> {
    await this.#file.end();
  }

  async #result(
    id: string,
    content: string,
    isError: boolean,
    decision: 'accept' | 'reject',
  ): Promise<void> {
    const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
    const call = this.#calls.get(id);
    const wasAsked = call?.wasAsked ?? false;
    await this.#user([block], {
      toolUseResult: { stdout: isError ? '' : content, stderr: isError ? content : '' },
      sourceToolAssistantUUID: call?.uuid,
      permissionDecision: wasAsked ? { source: 'user', decision } : undefined,
    });
  }

  async #user(content: unknown, details: object): Promise<void> {
    this.#messageId = undefined;
    const message = { role: 'user', content };
    await this.#append({ type: 'user', promptId: this.#promptId, message, ...details });
  }

  async #assistant(block: {
    readonly type: string;
    readonly [detail: string]: unknown;
  }): Promise<string> {
    this.#messageId ??= this.#random.providerId('msg');
    return this.#append({
      type: 'assistant',
      message: {
        id: this.#messageId,
        type: 'message',
        role: 'assistant',
        model: 'mock-agent',
        content: [block],
        stop_reason: block.type === 'tool_use' ? 'tool_use' : null,
        usage: { input_tokens: 1000 + this.#random.below(9000), output_tokens: 20 },
      },
    });
  }

  async #append(record: object): Promise<string> {
    const uuid = this.#random.uuid();
    const { sessionId, cwd } = this.#identity;
    await this.#file.appendLine({
      parentUuid: this.#parentUuid,
      isSidechain: false,
      userType: 'external',
      entrypoint: 'cli',
      cwd,
      sessionId,
      version: '0.0.0-mock',
      gitBranch: '',
      ...record,
      uuid,
      timestamp: new Date(this.#nowMs()).toISOString(),
    });
    this.#parentUuid = uuid;
    return uuid;
  }
}
