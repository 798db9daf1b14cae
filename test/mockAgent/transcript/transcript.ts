import type { Random } from '../random.ts';
import type { TranscriptFile } from './transcriptFile.ts';

export interface TranscriptIdentity {
  readonly sessionId: string;
  /** The agent's working folder. */
  readonly cwd: string;
  /** The record that the first one continues; `null` in a new session. */
  readonly parentUuid: string | null;
}

/** What the agent writes down about itself, in the shape of Claude Code's session files. */
export class Transcript {
  readonly #file: TranscriptFile;
  readonly #random: Random;
  readonly #identity: TranscriptIdentity;
  readonly #nowMs: () => number;
  #parentUuid: string | null;
  #promptId: string;
  /** Text and tool calls up to the next result belong to one message of the provider. */
  #messageId: string | undefined;
  readonly #toolRecords = new Map<string, string>();

  constructor(
    file: TranscriptFile,
    random: Random,
    identity: TranscriptIdentity,
    nowMs: () => number,
  ) {
    this.#file = file;
    this.#random = random;
    this.#identity = identity;
    this.#nowMs = nowMs;
    this.#parentUuid = identity.parentUuid;
    this.#promptId = random.uuid();
  }

  async prompt(text: string): Promise<void> {
    this.#promptId = this.#random.uuid();
    await this.#user(text, { permissionMode: 'default' });
  }

  async message(text: string): Promise<void> {
    await this.#assistant({ type: 'text', text });
  }

  /** @returns the id that the result must name */
  async toolUse(name: string, input: object): Promise<string> {
    const id = this.#random.providerId('toolu');
    this.#toolRecords.set(id, await this.#assistant({ type: 'tool_use', id, name, input }));
    return id;
  }

  async toolResult(id: string, content: string, isError: boolean): Promise<void> {
    const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
    await this.#user([block], {
      toolUseResult: { stdout: isError ? '' : content, stderr: isError ? content : '' },
      sourceToolAssistantUUID: this.#toolRecords.get(id),
    });
  }

  /** The person said no: the turn ends with the words that the real agent uses. */
  async toolRejected(id: string): Promise<void> {
    await this.toolResult(id, "The user doesn't want to proceed with this tool use.", true);
    await this.#user([{ type: 'text', text: '[Request interrupted by user for tool use]' }], {});
  }

  /** @param durationMs of the turn */
  async turnEnded(durationMs: number): Promise<void> {
    await this.#append({ type: 'system', subtype: 'turn_duration', durationMs, isMeta: false });
  }

  /** Leaves the file as torn as the scenario wants it. Nothing may be written afterwards. */
  async end(): Promise<void> {
    await this.#file.end();
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
