import { unnamedCall } from '../common/callNames.ts';
import type { AgentAdapter, HookCall } from '../common/adapter.ts';
import { contentKey } from '../common/contentKey.ts';
import type { AgentEvent, AgentStatus, ToolOutcome } from '../common/events.ts';
import { textOf } from '../common/untrusted.ts';
import { CodexTranscript } from './codexTranscript.ts';
import { changedFiles, EventBuilder } from './eventBuilder.ts';
import { resultText } from './resultText.ts';
import { shellQuoted } from './shellQuoted.ts';
import { codexCommandLine } from '../common/commandLines.ts';
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
/** The agent itself cuts this one to three seconds, and says so each time it is given more. */
const SESSION_END_TIMEOUT_SECONDS = 3;
const SESSION_FILE =
  /^\d{4}\/\d\d\/\d\d\/rollout-[\dT-]+-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.jsonl$/;

/** `clear`, at its end, says nothing. */
const STATES: ReadonlyMap<string, AgentStatus> = new Map([
  ['idle', 'waiting'],
  ['done', 'waiting'],
  ['working', 'running'],
  ['blocked', 'waiting_approval'],
]);

export const codex: AgentAdapter = {
  agent: AGENT,
  restore: {
    level: 'resume',
    canTrim: true,
    hazards: [
      'A copy has to get a new id inside as well as in its name, or it takes the place of the original.',
      'A fork points into the file of its parent: that one has to be kept.',
    ],
  },
  transcripts: ({ env, home }) => ({
    ...{ kind: 'files', folder: `${env['CODEX_HOME'] || `${home}/.codex`}/sessions`, depth: 3 },
    ...{ pattern: SESSION_FILE, isShared: true },
  }),
  sessionOfPath: (path) => /-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(path)?.[1],
  createParser: () => new CodexTranscript(AGENT),
  hookEvents,
  statusOfTitle: (title): AgentStatus | undefined => {
    if (title.includes('Action Required')) return 'waiting_approval';
    return /^[⠁-⣿]/u.test(title) ? 'running' : 'waiting';
  },
  // By an escape sequence: up to 0.8 s before its title, which blinks, shows a question.
  statusOfState: (said) => STATES.get(/(?:^|:)state=([a-z]+)/.exec(said)?.[1] ?? ''),
  additions: ({ relay, mayBypassTrust }) => {
    // Otherwise a background process runs the tools: not a child of ours, and without our environment.
    const args = ['--no-daemon'];
    // Hooks nobody has reviewed are skipped, or asked about. To switch that off is for the user to allow, since it holds
    // for the project's hooks too. Without hooks the transcript and the title say what happens.
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
};

function hookEvents({ name, payload, seenNs }: HookCall): AgentEvent[] {
  const make = new EventBuilder(AGENT, 'hook', textOf(payload['session_id']));
  const turn = textOf(payload['turn_id']) ?? '';
  const tool = textOf(payload['tool_name']) ?? '';
  const input = payload['tool_input'];
  const callId = textOf(payload['tool_use_id']) ?? unnamedCall(tool, input);
  switch (name) {
    case 'SessionStart':
      return [
        make.started(seenNs, textOf(payload['source']) ?? 'startup', {
          cwd: textOf(payload['cwd']),
          model: textOf(payload['model']),
          transcript: textOf(payload['transcript_path']),
        }),
      ];
    case 'UserPromptSubmit': {
      const text = textOf(payload['prompt']) ?? '';
      return [make.prompt(`${turn}/${contentKey(text)}`, seenNs, text)];
    }
    case 'PreToolUse':
      return [make.called(callId, seenNs, callId, tool, input)];
    case 'PostToolUse': {
      const output = resultText(payload['tool_response']);
      const exit = /^Exit code: (\d+)/.exec(output);
      const exitCode = exit ? Number(exit[1]) : undefined;
      const outcome: ToolOutcome = (exitCode ?? 0) === 0 ? 'ok' : 'failed';
      const files = changedFiles(tool, input, outcome);
      return [make.finished(callId, seenNs, callId, { tool, outcome, output, exitCode, files })];
    }
    case 'PermissionRequest':
      return [make.asked(`${callId}/${seenNs}`, seenNs, callId, tool, input)];
    case 'Stop': {
      const answer = textOf(payload['last_assistant_message']);
      const fields = { kind: 'turn.completed', outcome: 'done', answer } as const;
      return [make.event(`turn/${turn}`, seenNs, fields)];
    }
    case 'SessionEnd': {
      const reason = textOf(payload['reason']) ?? 'other';
      return [make.event('end', seenNs, { kind: 'session.exited', reason })];
    }
    default:
      return [make.unknown(seenNs, `hook/${name}`, payload)];
  }
}
