import { NO_ADDITIONS, type AgentAdapter, type HookCall } from '../common/adapter.ts';
import { unnamedCall } from '../common/callNames.ts';
import type { AgentEvent, AgentStatus, ToolOutcome } from '../common/events.ts';
import { fieldsOf, textOf, timeNsOf } from '../common/untrusted.ts';
import { changedFiles, EventBuilder } from './eventBuilder.ts';
import { GeminiTranscript } from './geminiTranscript.ts';
import { resultText } from './resultText.ts';
import { geminiCommandLine } from '../common/commandLines.ts';
import { trimGemini } from '../trim/geminiTrim.ts';

const AGENT = 'gemini';
/** Events worth listening to. Those of the model come once per piece of an answer, and hold the agent up. */
export const GEMINI_HOOKS = [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'Notification',
  'AfterAgent',
  'SessionEnd',
] as const;

export const gemini: AgentAdapter = {
  agent: AGENT,
  restore: {
    level: 'resume',
    canTrim: true,
    hazards: [
      'The agent deletes a resumed session when it starts the next time, unless its clean-up is off.',
      'Results of tools are sent twice after a resume, unless their own records are left out.',
    ],
  },
  transcripts: ({ env, home }) => ({
    ...{ kind: 'files', folder: `${env['GEMINI_CLI_HOME'] || home}/.gemini/tmp`, depth: 2 },
    ...{ pattern: /^[^/]+\/chats\/session-[\dT-]+-[0-9a-f]{8}\.jsonl$/, isShared: true },
  }),
  // The name has the first eight letters only; the rest is in the file.
  sessionOfPath: () => undefined,
  createParser: () => new GeminiTranscript(AGENT),
  hookEvents,
  statusOfTitle: (title): AgentStatus | undefined => {
    if (title.startsWith('✋')) return 'waiting_approval';
    if (title.startsWith('✦')) return 'running';
    return title.startsWith('◇') ? 'waiting' : undefined;
  },
  endsTurnsByTitle: true,
  // Hooks can only come from settings files, which are the user's. Its title tells the three states apart.
  additions: () => NO_ADDITIONS,
  trim: trimGemini,
  commandLine: geminiCommandLine,
};

function hookEvents({ name, payload, seenNs }: HookCall): AgentEvent[] {
  const make = new EventBuilder(AGENT, 'hook', textOf(payload['session_id']));
  const timeNs = timeNsOf(payload['timestamp']) ?? seenNs;
  const key = String(timeNs);
  const tool = textOf(payload['tool_name']) ?? '';
  const input = payload['tool_input'] ?? null;
  const callId = unnamedCall(tool, input);
  switch (name) {
    case 'SessionStart':
      return [
        make.started(timeNs, textOf(payload['source']) ?? 'startup', {
          cwd: textOf(payload['cwd']),
          transcript: textOf(payload['transcript_path']),
        }),
      ];
    case 'BeforeAgent':
      return [make.prompt(key, timeNs, textOf(payload['prompt']) ?? '')];
    case 'BeforeTool':
      return [make.called(key, timeNs, callId, tool, input)];
    case 'AfterTool': {
      const response = fieldsOf(payload['tool_response']);
      const error = textOf(fieldsOf(response['error'])['message']) ?? textOf(response['error']);
      const output = error ?? resultText(response);
      const exit = /^Exit Code: (\d+)$/m.exec(output);
      const exitCode = exit ? Number(exit[1]) : undefined;
      const outcome: ToolOutcome = error !== undefined || (exitCode ?? 0) !== 0 ? 'failed' : 'ok';
      const files = changedFiles(tool, input, outcome);
      return [make.finished(key, timeNs, callId, { tool, outcome, output, exitCode, files })];
    }
    case 'Notification': {
      if (payload['notification_type'] !== 'ToolPermission') return [];
      const details = fieldsOf(payload['details']);
      return [make.asked(key, timeNs, unnamedCall('', details), '', details)];
    }
    case 'AfterAgent': {
      const fields = { kind: 'turn.completed', outcome: 'done' } as const;
      return [make.event(`turn/${key}`, timeNs, fields)];
    }
    case 'SessionEnd': {
      const reason = textOf(payload['reason']) ?? 'other';
      return [make.event('end', timeNs, { kind: 'session.exited', reason })];
    }
    default:
      return [make.unknown(timeNs, `hook/${name}`, payload)];
  }
}
