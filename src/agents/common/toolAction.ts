import type { ExactValue } from '../../base/exactJson.ts';
import { oneLine } from './bounded.ts';
import type { ToolAction } from './events.ts';
import { fieldsOf, textOf } from './untrusted.ts';

/** Names that the five agents have for their tools. */
const ACTIONS: Readonly<Record<string, ToolAction>> = {
  Bash: 'shell',
  bash: 'shell',
  exec_command: 'shell',
  shell: 'shell',
  shell_command: 'shell',
  run_shell_command: 'shell',
  write_stdin: 'shell',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  apply_patch: 'edit',
  write_file: 'edit',
  replace: 'edit',
  write: 'edit',
  edit: 'edit',
  patch: 'edit',
  create: 'edit',
  str_replace: 'edit',
  Read: 'read',
  read: 'read',
  read_file: 'read',
  read_many_files: 'read',
  view: 'read',
  view_image: 'read',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  glob: 'search',
  grep: 'search',
  grep_search: 'search',
  list: 'search',
  list_directory: 'search',
  WebFetch: 'web',
  WebSearch: 'web',
  webfetch: 'web',
  websearch: 'web',
  web_fetch: 'web',
  web_search: 'web',
  google_web_search: 'web',
  Agent: 'agent',
  Task: 'agent',
  task: 'agent',
  spawn_agent: 'agent',
};

const COMMAND_FIELDS = ['command', 'cmd'];
const PATH_FIELDS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path'];
const OTHER_FIELDS = ['pattern', 'query', 'url', 'prompt', 'description'];

export function toolAction(tool: string): ToolAction {
  return Object.hasOwn(ACTIONS, tool) ? ACTIONS[tool]! : 'other';
}

/** One line that says what a tool is asked to do. */
export function toolTitle(tool: string, input: ExactValue): string {
  const said = toolCommand(input) ?? firstText(input, [...PATH_FIELDS, ...OTHER_FIELDS]);
  const patched = patchedFiles(input);
  if (patched.length > 0) return oneLine(`${tool} ${patched.join(', ')}`);
  if (said === undefined) return oneLine(tool);
  return toolAction(tool) === 'shell' ? oneLine(said) : oneLine(`${tool} ${said}`);
}

/** The command that a shell tool runs. */
export function toolCommand(input: ExactValue): string | undefined {
  const command = firstText(input, COMMAND_FIELDS);
  if (command !== undefined) return command;
  const words = COMMAND_FIELDS.map((name) => fieldsOf(input)[name]).find(Array.isArray);
  return words?.filter((word) => typeof word === 'string').join(' ');
}

/** The files that an edit is about, as its input says. */
export function editedFiles(tool: string, input: ExactValue): readonly string[] {
  if (toolAction(tool) !== 'edit') return [];
  const patched = patchedFiles(input);
  if (patched.length > 0) return patched;
  const path = firstText(input, PATH_FIELDS);
  return path === undefined ? [] : [path];
}

function patchedFiles(input: ExactValue): readonly string[] {
  const patch = typeof input === 'string' ? input : firstText(input, ['command', 'patch', 'input']);
  if (!patch?.startsWith('*** Begin Patch')) return [];
  const headers = patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm);
  return [...headers].map((header) => header[1]!.trim());
}

function firstText(input: ExactValue, names: readonly string[]): string | undefined {
  const fields = fieldsOf(input);
  for (const name of names) {
    const text = textOf(fields[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}
