import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { TranscriptListener } from '../transcript/transcript.ts';

interface Settings {
  readonly hooks?: Readonly<
    Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>
  >;
}

/** Fields that every hook gets. */
export interface HookContext {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
}

/** Runs the commands of Claude Code's settings, each until it ends, as Claude Code does. */
export class Hooks implements TranscriptListener {
  readonly #settings: Settings;
  readonly #context: HookContext;
  #lastMessage = '';

  static async open(file: string | undefined, context: HookContext): Promise<Hooks> {
    const settings =
      file === undefined ? {} : (JSON.parse(await readFile(file, 'utf8')) as Settings);
    return new Hooks(settings, context);
  }

  constructor(settings: Settings, context: HookContext) {
    this.#settings = settings;
    this.#context = context;
  }

  started(source: 'startup' | 'resume'): Promise<void> {
    return this.#call('SessionStart', { source, model: 'mock-agent' });
  }

  ended(): Promise<void> {
    return this.#call('SessionEnd', { reason: 'other' });
  }

  prompted(promptId: string, prompt: string): Promise<void> {
    return this.#call('UserPromptSubmit', { prompt_id: promptId, prompt });
  }

  said(text: string): void {
    this.#lastMessage = text;
  }

  toolStarts(id: string, name: string, input: object): Promise<void> {
    return this.#call('PreToolUse', toolFields(id, name, input));
  }

  permissionAsked(id: string, name: string, input: object): Promise<void> {
    return this.#call('PermissionRequest', toolFields(id, name, input));
  }

  permissionDenied(id: string, name: string, input: object): Promise<void> {
    return this.#call('PermissionDenied', toolFields(id, name, input));
  }

  toolEnded(
    id: string,
    name: string,
    input: object,
    result: { readonly text: string; readonly isError: boolean },
  ): Promise<void> {
    const fields = toolFields(id, name, input);
    return result.isError
      ? this.#call('PostToolUseFailure', { ...fields, error: result.text })
      : this.#call('PostToolUse', { ...fields, tool_response: result.text });
  }

  turnEnded(promptId: string): Promise<void> {
    return this.#call('Stop', { prompt_id: promptId, last_assistant_message: this.#lastMessage });
  }

  async #call(event: string, fields: object): Promise<void> {
    const payload = { ...this.#context, hook_event_name: event, ...fields };
    for (const { hooks } of this.#settings.hooks?.[event] ?? []) {
      for (const { command } of hooks) await run(command, JSON.stringify(payload));
    }
  }
}

function toolFields(id: string, name: string, input: object) {
  return { tool_use_id: id, tool_name: name, tool_input: input };
}

/** A hook that fails stops nothing. */
async function run(command: string, input: string): Promise<void> {
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'close');
  child.stdin.end(input);
  // A hook may end without reading its input.
  await finished(child.stdin).catch(() => undefined);
  await ended;
}
