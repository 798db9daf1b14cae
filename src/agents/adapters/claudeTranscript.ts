import type { AgentEvent, ToolOutcome } from '../common/events/events.ts';
import {
  countOf,
  fieldsOf,
  joinedText,
  listOf,
  stringsOf,
  textOf,
  type Fields,
} from '../common/untrusted.ts';
import { changedFiles } from './eventBuilder.ts';
import { RecordParser } from './recordParser.ts';
import { exitCodeIn } from './resultText.ts';

/** Types of records that are skipped: they add no information to the other records. */
const UNINTERESTING = new Set([
  'attachment',
  'queue-operation',
  'mode',
  'permission-mode',
  'atis-latch',
  'tools-used',
  'last-prompt',
  'cost-state',
  'api-request',
  'api-request-shape',
  'api-request-blob',
  'file-history-delta',
  'progress',
  'summary',
  'ai-title',
  'custom-title',
]);
const UNINTERESTING_SYSTEM = new Set(['stop_hook_summary', 'informational', 'local_command']);
const INTERRUPTED = '[Request interrupted by user';
const REFUSED = /doesn't want to (?:proceed|take this action)|^User rejected/;
/** Matches records of slash commands, which otherwise look like the user's messages. */
const COMMAND_ECHO =
  /^<(?:command-name|command-message|local-command-stdout|local-command-caveat|bash-)/;

/** The exit code at the start of a shell tool's output. */
export const CLAUDE_EXIT_CODE = /^(?:Error: )?Exit code (\d+)/;

/**
 * Parses `~/.claude/projects/<folder>/<session>.jsonl`: one record per content block, each linked
 * to its parent by UUID.
 */
export class ClaudeTranscript extends RecordParser {
  readonly #calls = new Map<string, { readonly tool: string; readonly input: Fields }>();
  #isStarted = false;
  #prompt = '';
  #lastMessage: string | undefined;

  protected record(record: Fields, timeNs: bigint): AgentEvent[] {
    this.make.session ??= textOf(record['sessionId']);
    // Skips a subagent's own records: the call that started the subagent reports its work.
    if (record['isSidechain'] === true) return [];
    return [...this.#start(record, timeNs), ...this.#events(record, timeNs)];
  }

  #start(record: Fields, timeNs: bigint): AgentEvent[] {
    const cwd = textOf(record['cwd']);
    if (this.#isStarted || cwd === undefined) return [];
    this.#isStarted = true;
    return [this.make.started(timeNs, 'startup', { cwd, version: textOf(record['version']) })];
  }

  #events(record: Fields, timeNs: bigint): AgentEvent[] {
    const type = textOf(record['type']) ?? '';
    if (type === 'user') return this.#user(record, timeNs);
    if (type === 'assistant') return this.#assistant(record, timeNs);
    if (type === 'system') return this.#system(record, timeNs);
    if (type === 'file-history-snapshot') return this.#checkpoint(record, timeNs);
    if (UNINTERESTING.has(type)) return [];
    return [this.make.unknown(timeNs, type, record)];
  }

  #user(record: Fields, timeNs: bigint): AgentEvent[] {
    if (record['isMeta'] === true) return [];
    const content = fieldsOf(record['message'])['content'];
    if (record['isCompactSummary'] === true) return [];
    const results = listOf(content).filter(({ type }) => type === 'tool_result');
    if (results.length > 0) {
      return results.flatMap((block) => this.#result(record, block, timeNs));
    }
    const text = joinedText(content);
    if (text === '' || COMMAND_ECHO.test(text)) return [];
    if (text.startsWith(INTERRUPTED)) return [this.#turnEnd(timeNs, 'interrupted')];
    this.#prompt = textOf(record['promptId']) ?? textOf(record['uuid']) ?? String(timeNs);
    return [this.make.prompt(this.#prompt, timeNs, text)];
  }

  #result(record: Fields, block: Fields, timeNs: bigint): AgentEvent[] {
    const callId = textOf(block['tool_use_id']) ?? '';
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    const details = fieldsOf(record['toolUseResult']);
    const output = joinedText(block['content']);
    const outcome = outcomeOf(block['is_error'] === true, output);
    const tool = call?.tool ?? '';
    const fromShell = stringsOf(fieldsOf(details['bashEditDiff'])['changedFiles']);
    const named = call ? changedFiles(tool, call.input, outcome) : [];
    const finished = this.make.finished(callId, timeNs, callId, {
      tool,
      outcome,
      output,
      files: [...named, ...fromShell],
      exitCode: exitCodeIn(output, CLAUDE_EXIT_CODE),
    });
    const decision = fieldsOf(record['permissionDecision']);
    if (!textOf(decision['source'])?.startsWith('user')) return [finished];
    const isAllowed = decision['decision'] === 'accept';
    return [this.make.resolved(callId, timeNs, callId, isAllowed), finished];
  }

  #assistant(record: Fields, timeNs: bigint): AgentEvent[] {
    const message = fieldsOf(record['message']);
    const uuid = textOf(record['uuid']) ?? String(timeNs);
    if (record['isApiErrorMessage'] === true) {
      return [this.make.failed(uuid, timeNs, joinedText(message['content']))];
    }
    const events = listOf(message['content']).flatMap((block, index): AgentEvent[] => {
      const text = textOf(block['text']);
      if (block['type'] === 'text' && text !== undefined)
        return [this.make.message(`${uuid}/${index}`, timeNs, text)];
      if (block['type'] !== 'tool_use') return [];
      const callId = textOf(block['id']) ?? uuid;
      const tool = textOf(block['name']) ?? '';
      this.#calls.set(callId, { tool, input: fieldsOf(block['input']) });
      return [this.make.called(callId, timeNs, callId, tool, block['input'])];
    });
    return [...events, ...this.#usage(message, timeNs)];
  }

  /** Every block of a message repeats the token counts of the whole message. */
  #usage(message: Fields, timeNs: bigint): AgentEvent[] {
    const id = textOf(message['id']);
    const usage = fieldsOf(message['usage']);
    const output = countOf(usage['output_tokens']);
    if (id === undefined || id === this.#lastMessage || output === undefined) return [];
    this.#lastMessage = id;
    const input = countOf(usage['input_tokens']) ?? 0;
    const written = countOf(usage['cache_creation_input_tokens']) ?? 0;
    const used = {
      input: input + written,
      output,
      cacheRead: countOf(usage['cache_read_input_tokens']) ?? 0,
      model: textOf(message['model']),
    };
    return [this.make.tokens(id, timeNs, used)];
  }

  #system(record: Fields, timeNs: bigint): AgentEvent[] {
    const subtype = textOf(record['subtype']) ?? '';
    const uuid = textOf(record['uuid']) ?? String(timeNs);
    if (subtype === 'turn_duration')
      return [this.#turnEnd(timeNs, 'done', countOf(record['durationMs']))];
    if (subtype === 'compact_boundary') {
      const trigger = textOf(fieldsOf(record['compactMetadata'])['trigger']) ?? 'auto';
      return [this.make.compacted(uuid, timeNs, trigger)];
    }
    if (subtype === 'api_error') {
      const message = textOf(fieldsOf(record['error'])['message']) ?? 'The API request failed.';
      return [this.make.failed(uuid, timeNs, message)];
    }
    if (UNINTERESTING_SYSTEM.has(subtype)) return [];
    return [this.make.unknown(timeNs, `system/${subtype}`, record)];
  }

  #checkpoint(record: Fields, timeNs: bigint): AgentEvent[] {
    const checkpoint = textOf(record['messageId']);
    if (checkpoint === undefined || record['isSnapshotUpdate'] === true) return [];
    return [
      this.make.event(`checkpoint/${checkpoint}`, timeNs, {
        kind: 'checkpoint',
        checkpoint,
        label: 'Files before this prompt',
      }),
    ];
  }

  #turnEnd(timeNs: bigint, outcome: 'done' | 'interrupted', durationMs?: number): AgentEvent {
    // An interrupted turn may also get a duration record, so the two ends have different keys.
    const key = `${this.#prompt}${outcome === 'done' ? '' : '/interrupted'}`;
    return this.make.turnCompleted(key, timeNs, outcome, { durationMs });
  }
}

function outcomeOf(isError: boolean, output: string): ToolOutcome {
  if (!isError) return 'ok';
  if (REFUSED.test(output)) return 'denied';
  return output.startsWith(INTERRUPTED) ? 'interrupted' : 'failed';
}
