import { NANOSECONDS_PER_MILLISECOND } from '../../../base/clock.ts';
import { seenText, withoutEscapes } from '../../../base/plainText.ts';
import { spanText } from '../../../base/spanText.ts';
import { shortened } from '../bounded.ts';
import {
  inOrder,
  isTurnResumed,
  type AgentEvent,
  type ToolCalled,
  type ToolFinished,
} from '../events/events.ts';
import { exactInput } from '../events/exactInput.ts';
import { codeSpan, fenced, quoted } from './fenced.ts';

/** Results are shown in short: the start names the subject, the end has the errors. */
const MAX_RESULT_CHARACTERS = 1200;
const MAX_DIFF_LINES = 400;
const DENIED = 'denied by the user';

export interface ConversationOptions {
  /**
   * The changes that a tool call made on disk, as a unified diff; empty if it made none, undefined
   * if there are no snapshots to compare.
   */
  readonly diffOf?: (call: ToolCalled) => Promise<string | undefined>;
  /** Applied to each text before it is formatted. */
  readonly redact?: (text: string) => string;
  readonly timeText?: (date: Date) => string;
  /** The times at which nothing was recorded, in order. */
  readonly pauses?: readonly ConversationPause[];
}

export interface ConversationPause {
  readonly fromNs: bigint;
  /** Undefined if the end of the pause is not known. */
  readonly toNs: bigint | undefined;
}

/** The conversation with an agent: prompts, answers, tools with results and diffs, approvals. */
export async function* conversationMarkdown(
  events: readonly AgentEvent[],
  options: ConversationOptions = {},
): AsyncGenerator<string, void, void> {
  const conversation = new Conversation(events, options);
  const pauses = options.pauses ?? [];
  let shown = 0;
  for (const event of inOrder(events)) {
    for (const pause of pauses.slice(shown)) {
      if (pause.fromNs >= event.timeNs) break;
      yield conversation.pause(pause);
      shown++;
    }
    yield await conversation.section(event);
  }
  for (const pause of pauses.slice(shown)) yield conversation.pause(pause);
}

class Conversation {
  readonly #options: ConversationOptions;
  readonly #results = new Map<string, ToolFinished>();
  readonly #decisions = new Map<string, string>();
  readonly #asked = new Set<string>();
  readonly #calls = new Set<string>();
  #turn = 0;
  #lastMessage = '';

  constructor(events: readonly AgentEvent[], options: ConversationOptions) {
    this.#options = options;
    for (const event of events) {
      if (event.kind === 'tool.result') this.#results.set(event.callId, event);
      if (event.kind === 'tool.call') this.#calls.add(event.callId);
      if (event.kind === 'approval.requested') this.#asked.add(event.callId);
      if (event.kind === 'approval.resolved') this.#decisions.set(event.callId, event.decision);
    }
  }

  pause({ fromNs, toNs }: ConversationPause): string {
    const text =
      toNs === undefined
        ? 'Not recorded from here on'
        : `Not recorded, ${spanText(Number((toNs - fromNs) / NANOSECONDS_PER_MILLISECOND))}`;
    return `\n*${text} · ${this.#time({ timeNs: fromNs })}*\n`;
  }

  /** The Markdown of an event; empty if the conversation does not show it. */
  async section(event: AgentEvent): Promise<string> {
    switch (event.kind) {
      case 'user.prompt':
        this.#lastMessage = '';
        return `\n## ${++this.#turn} · ${this.#time(event)}\n\n${quoted(this.#text(event.text))}`;
      case 'assistant.message':
        return this.#message(event.text);
      case 'turn.completed':
        return event.answer === undefined ? '' : this.#message(event.answer);
      case 'tool.call':
        return this.#tool(event);
      case 'approval.requested':
        if (this.#calls.has(event.callId)) return '';
        return `\n**${this.#text(event.tool)}** · ${this.#time(event)} · ${this.#approval(event.callId)}\n\n${this.#fenced(exactInput(event.tool, event.input))}`;
      case 'error':
        return `\n**Error** · ${this.#time(event)}\n\n${quoted(this.#text(event.message))}`;
      case 'context.compacted':
        return `\n*Context compacted · ${this.#time(event)}*\n`;
      case 'status.changed':
        return isTurnResumed(event)
          ? `\n*The agent’s messages in the rest of this turn were not recorded · ${this.#time(event)}*\n`
          : '';
      case 'tool.result':
      case 'approval.resolved':
      case 'session.started':
      case 'session.exited':
      case 'assistant.delta':
      case 'tokens.used':
      case 'checkpoint':
      case 'timeline.sessionBranch.created':
      case 'heartbeat':
      case 'unknown':
        return '';
    }
  }

  /** The end of a turn can repeat the last message. */
  #message(text: string): string {
    const message = this.#text(text).trim();
    if (message === '' || message === this.#lastMessage) return '';
    this.#lastMessage = message;
    return `\n${message}\n`;
  }

  async #tool(call: ToolCalled): Promise<string> {
    const result = this.#results.get(call.callId);
    const approval = this.#asked.has(call.callId) ? this.#approval(call.callId) : undefined;
    const facts = [
      `**${this.#text(call.tool)}**`,
      this.#time(call),
      ...(approval === undefined ? [] : [approval]),
      // The approval already says who denied the call.
      ...factsOf(result).filter((fact) => approval !== DENIED || fact !== 'denied'),
    ];
    const diff = await this.#options.diffOf?.(call);
    const isEdit = call.action === 'edit';
    const input = exactInput(call.tool, call.input);
    const hasDiff = diff !== undefined && diff !== '';
    const title = this.#title(call);
    const inputText = isEdit && hasDiff ? title : this.#input(call, input, isEdit);
    const output = withoutEscapes(result?.summary ?? '');
    const summary = this.#text(shortened(output, MAX_RESULT_CHARACTERS)).trim();
    return [
      `\n${facts.join(' · ')}\n`,
      inputText,
      summary === '' ? '' : `\n${fenced(summary)}`,
      hasDiff ? `\n${fenced(this.#diff(diff), 'diff')}` : '',
    ].join('');
  }

  #input(call: ToolCalled, input: string, isEdit: boolean): string {
    const isShown = isEdit || call.action === 'shell';
    if (isShown && input !== '') return `\n${this.#fenced(input, isEdit ? 'diff' : 'sh')}`;
    return this.#title(call);
  }

  /** The title without the name of the tool, which stands above it. */
  #title({ tool, title }: ToolCalled): string {
    const rest = title.startsWith(`${tool} `) ? title.slice(tool.length + 1) : title;
    return rest === '' ? '' : `\n${codeSpan(this.#text(rest))}\n`;
  }

  #approval(callId: string): string {
    const decision = this.#decisions.get(callId) ?? this.#results.get(callId)?.outcome;
    if (decision === undefined) return 'waits for approval';
    return decision === 'denied' ? DENIED : 'approved by the user';
  }

  #fenced(text: string, language?: string): string {
    return fenced(this.#text(text), language);
  }

  #diff(diff: string): string {
    const lines = this.#text(diff).replace(/\n$/, '').split('\n');
    const rest = lines.length - MAX_DIFF_LINES;
    return rest <= 0
      ? lines.join('\n')
      : [...lines.slice(0, MAX_DIFF_LINES), `… ${rest} more lines`].join('\n');
  }

  #text(text: string): string {
    return seenText(this.#options.redact?.(text) ?? text);
  }

  #time({ timeNs }: Pick<AgentEvent, 'timeNs'>): string {
    const date = new Date(Number(timeNs / NANOSECONDS_PER_MILLISECOND));
    return this.#options.timeText?.(date) ?? date.toISOString();
  }
}

function factsOf(result: ToolFinished | undefined): string[] {
  if (!result) return ['no result'];
  const { outcome, exitCode, durationMs } = result;
  return [
    ...(outcome === 'ok' ? [] : [outcome]),
    ...(exitCode === undefined || exitCode === 0 ? [] : [`exit ${exitCode}`]),
    ...(durationMs === undefined ? [] : [`${(durationMs / 1000).toFixed(1)} s`]),
  ];
}
