import { unnamedCall } from '../common/events/callNames.ts';
import type { AgentAdapter, AgentPlace, HookCall } from '../common/adapter.ts';
import type { AgentEvent, AgentStatus } from '../common/events/events.ts';
import { countOf, textOf, type Fields } from '../common/untrusted.ts';
import { changedFiles, EventBuilder } from './eventBuilder.ts';
import { CLAUDE_EXIT_CODE, ClaudeTranscript } from './claudeTranscript.ts';
import { shellQuoted } from '../common/shellQuoted.ts';
import { exitCodeIn, resultText } from './resultText.ts';
import { claudeCommandLine } from './commandLines.ts';
import { claudeModeAt } from './modes/claudeMode.ts';
import { trimClaude } from '../trim/claudeTrim.ts';

const AGENT = 'claudeCode';
/** The hooks that AH uses; Claude Code has about thirty. */
const HOOKS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'Stop',
  'StopFailure',
  'SessionEnd',
];
const HOOK_TIMEOUT_SECONDS = 10;
/** Claude Code cuts longer names of project folders to this length and appends a hash. */
export const MAX_CLAUDE_PROJECT_CHARACTERS = 200;

export const claudeCode: AgentAdapter = {
  agent: AGENT,
  transcripts: (place) => ({
    kind: 'files',
    folder: `${configFolder(place)}/projects`,
    depth: 1,
    isShared: true,
    pattern: new RegExp(`^${projectPattern(place.cwd)}/[0-9a-f-]{36}\\.jsonl$`),
  }),
  sessionOfPath: (path) => /([0-9a-f-]{36})\.jsonl$/.exec(path)?.[1],
  createParser: () => new ClaudeTranscript(AGENT),
  hookEvents,
  statusOfTitle: (title): AgentStatus | undefined => {
    // The title's other mark, ✳, can mean idle or a question, so it gives no status.
    return /^[◐◑◒◓⠁-⣿]/u.test(title) ? 'running' : undefined;
  },
  additions: ({ folder, relay }) => {
    const file = `${folder}/claude-settings.json`;
    const hooks = Object.fromEntries(
      HOOKS.map((event) => {
        const command = relay(event).map(shellQuoted).join(' ');
        return [event, [{ hooks: [{ type: 'command', command, timeout: HOOK_TIMEOUT_SECONDS }] }]];
      }),
    );
    return {
      args: ['--settings', file],
      env: {},
      files: [{ path: file, text: JSON.stringify({ hooks }, undefined, 2) }],
    };
  },
  trim: trimClaude,
  commandLine: claudeCommandLine,
  modeAt: claudeModeAt,
};

function configFolder({ env, home }: AgentPlace): string {
  return env['CLAUDE_CONFIG_DIR'] || `${home}/.claude`;
}

/** The agent's name for a project folder: every character but letters and digits becomes a dash. */
export function claudeProjectName(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9]/g, '-');
}

function projectPattern(cwd: string): string {
  const name = claudeProjectName(cwd);
  // The name has only letters, digits and dashes, so the pattern needs no escapes.
  if (name.length <= MAX_CLAUDE_PROJECT_CHARACTERS) return name;
  return `${name.slice(0, MAX_CLAUDE_PROJECT_CHARACTERS)}-[0-9a-z]+`;
}

function hookEvents({ name, payload, seenNs }: HookCall): AgentEvent[] {
  const make = new EventBuilder(AGENT, 'hook', textOf(payload['session_id']));
  const tool = textOf(payload['tool_name']) ?? '';
  const input = payload['tool_input'];
  const callId = textOf(payload['tool_use_id']) ?? unnamedCall(tool, input);
  switch (name) {
    case 'SessionStart':
      return [make.startedByHook(seenNs, payload)];
    case 'UserPromptSubmit':
      return [make.prompt(promptKey(payload, seenNs), seenNs, textOf(payload['prompt']) ?? '')];
    case 'PreToolUse':
      return [make.called(callId, seenNs, callId, tool, input)];
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const outcome = name === 'PostToolUse' ? 'ok' : 'failed';
      const output = textOf(payload['error']) ?? resultText(payload['tool_response']);
      return [
        make.finished(callId, seenNs, callId, {
          tool,
          outcome,
          output,
          durationMs: countOf(payload['duration_ms']),
          files: changedFiles(tool, input, outcome),
          exitCode: exitCodeIn(output, CLAUDE_EXIT_CODE),
        }),
      ];
    }
    case 'PermissionRequest':
      return [make.asked(`${callId}/${seenNs}`, seenNs, callId, tool, input)];
    case 'PermissionDenied':
      return [make.resolved(`${callId}/${seenNs}`, seenNs, callId, false)];
    case 'Notification':
      return notified(make, payload, seenNs);
    case 'Stop':
    case 'StopFailure': {
      const answer = textOf(payload['last_assistant_message']);
      const outcome = name === 'Stop' ? 'done' : 'failed';
      return [make.turnCompleted(promptKey(payload, seenNs), seenNs, outcome, { answer })];
    }
    case 'SessionEnd':
      return [make.exitedByHook(seenNs, payload)];
    default:
      return [make.unknown(seenNs, `hook/${name}`, payload)];
  }
}

function notified(make: EventBuilder, payload: Fields, seenNs: bigint): AgentEvent[] {
  const type = textOf(payload['notification_type']);
  if (type === 'permission_prompt') {
    // This notification comes seconds after the `PermissionRequest` hook; it matters only if that
    // hook was missed.
    return [make.asked(String(seenNs), seenNs, unnamedCall('', null), '', null)];
  }
  if (type !== 'idle_prompt') return [];
  return [
    make.event(`status/${seenNs}`, seenNs, {
      kind: 'status.changed',
      status: 'waiting',
      evidence: 'The agent reports that it waits for a prompt.',
    }),
  ];
}

function promptKey(payload: Fields, seenNs: bigint): string {
  return textOf(payload['prompt_id']) ?? String(seenNs);
}
