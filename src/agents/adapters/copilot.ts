import type { AgentAdapter, HookCall } from '../common/adapter.ts';
import { unnamedCall } from '../common/events/callNames.ts';
import type { AgentEvent } from '../common/events/events.ts';
import { fieldsOf, textOf, timeNsOf } from '../common/untrusted.ts';
import { CopilotTranscript } from './copilotTranscript.ts';
import { changedFiles, EventBuilder } from './eventBuilder.ts';
import { exitCodeIn, resultText } from './resultText.ts';
import { shellQuoted } from '../common/shellQuoted.ts';
import { copilotCommandLine } from './commandLines.ts';
import { copilotModeAt } from './modes/copilotMode.ts';
import { trimCopilot } from '../trim/copilotTrim.ts';

const AGENT = 'copilot';
/**
 * The hooks that AH uses. `permissionRequest` is left out: Copilot CLI also calls it when no
 * permission is needed.
 */
const HOOKS = [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'postToolUse',
  'notification',
  'agentStop',
  'sessionEnd',
];
const HOOK_TIMEOUT_SECONDS = 10;

export const copilot: AgentAdapter = {
  agent: AGENT,
  transcripts: ({ env, home }) => ({
    kind: 'files',
    folder: `${env['COPILOT_HOME'] || `${home}/.copilot`}/session-state`,
    depth: 1,
    pattern: /^[0-9a-f-]{36}\/events\.jsonl$/,
    isShared: true,
  }),
  sessionOfPath: (path) => /([0-9a-f-]{36})\/events\.jsonl$/.exec(path)?.[1],
  createParser: () => new CopilotTranscript(AGENT),
  hookEvents,
  // The title shows the session's subject, not its state.
  statusOfTitle: () => undefined,
  additions: ({ folder, relay }) => {
    const plugin = `${folder}/copilot-plugin`;
    const hooks = Object.fromEntries(
      HOOKS.map((event) => {
        const bash = relay(event).map(shellQuoted).join(' ');
        return [event, [{ type: 'command', bash, timeoutSec: HOOK_TIMEOUT_SECONDS }]];
      }),
    );
    return {
      args: ['--plugin-dir', plugin],
      env: {},
      files: [
        {
          path: `${plugin}/plugin.json`,
          text: JSON.stringify({ name: 'ah', version: '1.0.0', hooks: 'hooks.json' }),
        },
        { path: `${plugin}/hooks.json`, text: JSON.stringify({ version: 1, hooks }) },
      ],
    };
  },
  trim: trimCopilot,
  commandLine: copilotCommandLine,
  modeAt: copilotModeAt,
};

function hookEvents({ name, payload, seenNs }: HookCall): AgentEvent[] {
  const make = new EventBuilder(AGENT, 'hook', textOf(payload['sessionId']));
  const timeNs = timeNsOf(payload['timestamp']) ?? seenNs;
  // Timestamps are in milliseconds, so two hook calls may have the same one.
  const key = `${timeNs}/${seenNs}`;
  const tool = textOf(payload['toolName']) ?? '';
  const input = payload['toolArgs'] ?? null;
  const callId = unnamedCall(tool, input);
  switch (name) {
    case 'sessionStart': {
      const source = textOf(payload['source']);
      const reason = source === undefined || source === 'new' ? 'startup' : source;
      return [make.started(timeNs, reason, { cwd: textOf(payload['cwd']) })];
    }
    case 'userPromptSubmitted':
      return [make.prompt(key, timeNs, textOf(payload['prompt']) ?? '')];
    case 'preToolUse':
      return [make.called(key, timeNs, callId, tool, input)];
    case 'postToolUse': {
      const result = fieldsOf(payload['toolResult']);
      const output = resultText(result);
      const exitCode = exitCodeIn(output, /completed with exit code (\d+)>\s*$/);
      const isOk = result['resultType'] === 'success' && (exitCode ?? 0) === 0;
      const outcome = result['resultType'] === 'denied' ? 'denied' : isOk ? 'ok' : 'failed';
      const files = changedFiles(tool, input, outcome);
      return [make.finished(key, timeNs, callId, { tool, outcome, output, exitCode, files })];
    }
    case 'notification':
      // The notification does not name the tool call; the transcript reports it a little later.
      return textOf(payload['notificationType'] ?? payload['notification_type']) ===
        'permission_prompt'
        ? [make.asked(key, timeNs, unnamedCall('', null), '', null)]
        : [];
    case 'agentStop':
      return [make.turnCompleted(key, timeNs, 'done')];
    case 'sessionEnd':
      return [make.exitedByHook(timeNs, payload)];
    default:
      return [make.unknown(timeNs, `hook/${name}`, payload)];
  }
}
