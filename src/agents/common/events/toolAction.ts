import type { ExactValue } from '../../../base/exactJson.ts';
import { oneLine } from '../bounded.ts';
import type { ToolAction } from './events.ts';
import { fieldsOf, textOf } from '../untrusted.ts';

/** The tool names of all agents. */
const ACTIONS: ReadonlyMap<string, ToolAction> = new Map(
  Object.entries<ToolAction>({
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
  }),
);

const COMMAND_FIELDS = ['command', 'cmd'];
const PATH_FIELDS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path'];
const BEFORE_FIELDS = ['old_string', 'oldString', 'old_str'];
const AFTER_FIELDS = ['new_string', 'newString', 'new_str'];
const OTHER_FIELDS = ['pattern', 'query', 'url', 'prompt', 'description'];

export function toolAction(tool: string): ToolAction {
  return ACTIONS.get(tool) ?? 'other';
}

/** Describes a tool call in one line. */
export function toolTitle(tool: string, input: ExactValue): string {
  const subject = toolCommand(input) ?? firstText(input, [...PATH_FIELDS, ...OTHER_FIELDS]);
  const patched = patchedFiles(input);
  if (patched.length > 0) return oneLine(`${tool} ${patched.join(', ')}`);
  if (subject === undefined) return oneLine(tool);
  return toolAction(tool) === 'shell' ? oneLine(subject) : oneLine(`${tool} ${subject}`);
}

/** The command that a shell tool runs. */
export function toolCommand(input: ExactValue): string | undefined {
  const command = firstText(input, COMMAND_FIELDS);
  if (command !== undefined) return command;
  const words = COMMAND_FIELDS.map((name) => fieldsOf(input)[name]).find(Array.isArray);
  return words?.filter((word) => typeof word === 'string').join(' ');
}

/** The files that an edit names in its input. */
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
  return [...headers].map(([, file = '']) => file.trim());
}

/** The old and new text of an edit, as far as its input has them. */
export function replacedText(input: ExactValue): {
  readonly before: string | undefined;
  readonly after: string | undefined;
} {
  return { before: firstText(input, BEFORE_FIELDS), after: firstText(input, AFTER_FIELDS) };
}

/** The value of the first of these fields that has a text. */
export function firstText(input: ExactValue, names: readonly string[]): string | undefined {
  const fields = fieldsOf(input);
  for (const name of names) {
    const text = textOf(fields[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}
