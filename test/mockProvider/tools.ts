import type { ToolCall } from './conversation.ts';
import type { ToolRequest } from './scenario.ts';

type Input = ToolCall['input'];
type Shell = Extract<ToolRequest, { kind: 'shell' }>;
type Write = Extract<ToolRequest, { kind: 'write' }>;
type Edit = Extract<ToolRequest, { kind: 'edit' }>;
type Call = readonly [name: string, input: Input];

/** The tool calls of one agent for the three kinds of requests. */
interface Toolkit {
  /** The tool that identifies the agent's requests. */
  readonly mark: string;
  shell(request: Shell): Call;
  write(request: Write): Call;
  edit(request: Edit): Call;
}

const DESCRIPTION = 'Runs a command';

const TOOLKITS: readonly Toolkit[] = [
  {
    mark: 'Bash', // Claude Code
    shell: ({ command }) => ['Bash', { command, description: DESCRIPTION }],
    write: ({ path, content }) => ['Write', { file_path: path, content }],
    edit: ({ path, before, after }) => [
      'Edit',
      { file_path: path, old_string: before, new_string: after },
    ],
  },
  {
    mark: 'exec_command', // Codex
    shell: (request) => ['exec_command', codexCommand(request)],
    write: (request) => ['apply_patch', writePatch(request)],
    edit: (request) => ['apply_patch', editPatch(request)],
  },
  {
    mark: 'exec', // Codex with a model that calls its tools from a script
    shell: (request) => [
      'exec',
      `text(await tools.exec_command(${JSON.stringify(codexCommand(request))}));\n`,
    ],
    write: (request) => ['exec', scripted(writePatch(request))],
    edit: (request) => ['exec', scripted(editPatch(request))],
  },
  {
    mark: 'run_shell_command', // Gemini CLI
    shell: ({ command }) => ['run_shell_command', { command, description: DESCRIPTION }],
    write: ({ path, content }) => ['write_file', { file_path: path, content }],
    edit: ({ path, before, after }) => [
      'replace',
      {
        file_path: path,
        old_string: before,
        new_string: after,
        instruction: 'Replace the words.',
      },
    ],
  },
  {
    mark: 'create', // Copilot CLI
    shell: ({ command }) => ['bash', { command, description: DESCRIPTION }],
    write: ({ path, content }) => ['create', { path, file_text: content }],
    edit: ({ path, before, after }) => ['edit', { path, old_str: before, new_str: after }],
  },
  {
    mark: 'bash', // opencode
    shell: ({ command }) => ['bash', { command, description: DESCRIPTION }],
    write: ({ path, content }) => ['write', { filePath: path, content }],
    edit: ({ path, before, after }) => [
      'edit',
      { filePath: path, oldString: before, newString: after },
    ],
  },
];

/** Converts a request to a call of the agent that offers these tools. */
export function toolCall(request: ToolRequest, offered: readonly string[], id: string): ToolCall {
  const toolkit = TOOLKITS.find(({ mark }) => offered.includes(mark));
  if (!toolkit) throw new Error(`No agent is known to have the tools ${offered.join(', ')}.`);
  const [name, input] = callOf(toolkit, request);
  return { id, name, input };
}

function callOf(toolkit: Toolkit, request: ToolRequest): Call {
  switch (request.kind) {
    case 'shell':
      return toolkit.shell(request);
    case 'write':
      return toolkit.write(request);
    case 'edit':
      return toolkit.edit(request);
  }
}

function codexCommand({ command, isEscalated }: Shell): Record<string, string> {
  if (!isEscalated) return { cmd: command };
  const reason = { justification: 'Run this command?', sandbox_permissions: 'require_escalated' };
  return { cmd: command, ...reason };
}

function writePatch({ path, content }: Write): string {
  return patch(`*** Add File: ${path}`, lines('+', content));
}

function editPatch({ path, before, after }: Edit): string {
  return patch(`*** Update File: ${path}`, `@@\n${lines('-', before)}${lines('+', after)}`);
}

function patch(header: string, body: string): string {
  return `*** Begin Patch\n${header}\n${body}*** End Patch\n`;
}

function lines(mark: string, text: string): string {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark}${line}\n`)
    .join('');
}

function scripted(text: string): string {
  return `text(await tools.apply_patch(${JSON.stringify(text)}));\n`;
}
