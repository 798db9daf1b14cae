import { unnamedCall } from '../common/events/callNames.ts';
import type { AgentAdapter, HookCall } from '../common/adapter.ts';
import { contentKey } from '../common/events/contentKey.ts';
import type { AgentEvent, AgentStatus, ToolOutcome } from '../common/events/events.ts';
import { textOf } from '../common/untrusted.ts';
import { CodexTranscript } from './codexTranscript.ts';
import { changedFiles, EventBuilder } from './eventBuilder.ts';
import { exitCodeIn, resultText } from './resultText.ts';
import { shellQuoted } from '../common/shellQuoted.ts';
import { codexCommandLine } from './commandLines.ts';
import { codexModeAt } from './modes/codexMode.ts';
import { trimCodex } from '../trim/codexTrim.ts';

const AGENT = 'codex';
const HOOKS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'Stop',
  'SessionEnd',
];
const HOOK_TIMEOUT_SECONDS = 10;
/** Codex limits this hook to three seconds and warns about longer timeouts. */
const SESSION_END_TIMEOUT_SECONDS = 3;
const SESSION_FILE =
  /^\d{4}\/\d\d\/\d\d\/rollout-[\dT-]+-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.jsonl$/;

/**
 * The states that Codex sends as an escape sequence; `clear`, which it sends when it exits, is
 * ignored.
 */
const STATES: ReadonlyMap<string, AgentStatus> = new Map([
  ['idle', 'waiting'],
  ['done', 'waiting'],
  ['working', 'running'],
  ['blocked', 'waiting_approval'],
]);

export const codex: AgentAdapter = {
  agent: AGENT,
  transcripts: ({ env, home }) => ({
    kind: 'files',
    folder: `${env['CODEX_HOME'] || `${home}/.codex`}/sessions`,
    depth: 3,
    pattern: SESSION_FILE,
    isShared: true,
  }),
  sessionOfPath: (path) => /-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(path)?.[1],
  createParser: () => new CodexTranscript(AGENT),
  hookEvents,
  statusOfTitle: (title): AgentStatus | undefined => {
    if (title.includes('Action Required')) return 'waiting_approval';
    return /^[⠁-⣿]/u.test(title) ? 'running' : 'waiting';
  },
  // The escape sequence comes up to 0.8 s before the blinking title shows a question.
  statusOfState: (state) => STATES.get(/(?:^|:)state=([a-z]+)/.exec(state)?.[1] ?? ''),
  additions: ({ relay, mayBypassTrust }) => {
    // Without this option, a background process runs the tools, outside of the environment of this
    // launch.
    const args = ['--no-daemon'];
    // Codex skips unreviewed hooks or asks about them. The bypass also covers the project's hooks,
    // so the user must allow it. Without hooks, the transcript and the title give the events.
    if (!mayBypassTrust) return { args, env: {}, files: [] };
    args.push('--dangerously-bypass-hook-trust');
    for (const event of HOOKS) {
      const timeout = event === 'SessionEnd' ? SESSION_END_TIMEOUT_SECONDS : HOOK_TIMEOUT_SECONDS;
      const command = JSON.stringify(relay(event).map(shellQuoted).join(' '));
      const hook = `{type="command",command=${command},timeout=${timeout}}`;
      args.push('-c', `hooks.${event}=[{hooks=[${hook}]}]`);
    }
    return { args, env: {}, files: [] };
  },
  trim: trimCodex,
  commandLine: codexCommandLine,
  modeAt: codexModeAt,
};

function hookEvents({ name, payload, seenNs }: HookCall): AgentEvent[] {
  const make = new EventBuilder(AGENT, 'hook', textOf(payload['session_id']));
  const turn = textOf(payload['turn_id']) ?? '';
  const tool = textOf(payload['tool_name']) ?? '';
  const input = payload['tool_input'];
  const callId = textOf(payload['tool_use_id']) ?? unnamedCall(tool, input);
  switch (name) {
    case 'SessionStart':
      return [make.startedByHook(seenNs, payload)];
    case 'UserPromptSubmit': {
      const text = textOf(payload['prompt']) ?? '';
      return [make.prompt(`${turn}/${contentKey(text)}`, seenNs, text)];
    }
    case 'PreToolUse':
      return [make.called(callId, seenNs, callId, tool, input)];
    case 'PostToolUse': {
      const output = resultText(payload['tool_response']);
      const exitCode = exitCodeIn(output, /^Exit code: (\d+)/);
      const outcome: ToolOutcome = (exitCode ?? 0) === 0 ? 'ok' : 'failed';
      const files = changedFiles(tool, input, outcome);
      return [make.finished(callId, seenNs, callId, { tool, outcome, output, exitCode, files })];
    }
    case 'PermissionRequest':
      return [make.asked(`${callId}/${seenNs}`, seenNs, callId, tool, input)];
    case 'Stop': {
      const answer = textOf(payload['last_assistant_message']);
      return [make.turnCompleted(turn, seenNs, 'done', { answer })];
    }
    case 'SessionEnd':
      return [make.exitedByHook(seenNs, payload)];
    default:
      return [make.unknown(seenNs, `hook/${name}`, payload)];
  }
}
