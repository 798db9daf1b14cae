import { NO_ADDITIONS, type AgentAdapter, type HookCall } from '../common/adapter.ts';
import { unnamedCall } from '../common/events/callNames.ts';
import type { AgentEvent, AgentStatus, ToolOutcome } from '../common/events/events.ts';
import { fieldsOf, textOf, timeNsOf } from '../common/untrusted.ts';
import { changedFiles, EventBuilder } from './eventBuilder.ts';
import { GeminiTranscript } from './geminiTranscript.ts';
import { GEMINI_EXIT_CODE } from '../common/records/geminiRecords.ts';
import { exitCodeIn, resultText } from './resultText.ts';
import { geminiCommandLine } from './commandLines.ts';
import { geminiModeAt } from './modes/geminiMode.ts';
import { trimGemini } from '../trim/geminiTrim.ts';

const AGENT = 'gemini';

export const gemini: AgentAdapter = {
  agent: AGENT,
  transcripts: ({ env, home }) => ({
    kind: 'files',
    folder: `${env['GEMINI_CLI_HOME'] || home}/.gemini/tmp`,
    depth: 2,
    pattern: /^[^/]+\/chats\/session-[\dT-]+-[0-9a-f]{8}\.jsonl$/,
    isShared: true,
  }),
  // The file name has only the first eight characters of the ID.
  sessionOfPath: () => undefined,
  createParser: () => new GeminiTranscript(AGENT),
  hookEvents,
  statusOfTitle: (title): AgentStatus | undefined => {
    if (title.startsWith('✋')) return 'waiting_approval';
    if (title.startsWith('✦')) return 'running';
    return title.startsWith('◇') ? 'waiting' : undefined;
  },
  endsTurnsByTitle: true,
  // Only the user's settings files can add hooks, so AH adds none; the title shows all three
  // states.
  additions: () => NO_ADDITIONS,
  trim: trimGemini,
  commandLine: geminiCommandLine,
  modeAt: geminiModeAt,
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
      return [make.startedByHook(timeNs, payload)];
    case 'BeforeAgent':
      return [make.prompt(key, timeNs, textOf(payload['prompt']) ?? '')];
    case 'BeforeTool':
      return [make.called(key, timeNs, callId, tool, input)];
    case 'AfterTool': {
      const response = fieldsOf(payload['tool_response']);
      const error = textOf(fieldsOf(response['error'])['message']) ?? textOf(response['error']);
      const output = error ?? resultText(response);
      const exitCode = exitCodeIn(output, GEMINI_EXIT_CODE);
      const outcome: ToolOutcome = error !== undefined || (exitCode ?? 0) !== 0 ? 'failed' : 'ok';
      const files = changedFiles(tool, input, outcome);
      return [make.finished(key, timeNs, callId, { tool, outcome, output, exitCode, files })];
    }
    case 'Notification': {
      if (payload['notification_type'] !== 'ToolPermission') return [];
      const details = fieldsOf(payload['details']);
      return [make.asked(key, timeNs, unnamedCall('', details), '', details)];
    }
    case 'AfterAgent':
      return [make.turnCompleted(key, timeNs, 'done')];
    case 'SessionEnd':
      return [make.exitedByHook(timeNs, payload)];
    default:
      return [make.unknown(timeNs, `hook/${name}`, payload)];
  }
}
