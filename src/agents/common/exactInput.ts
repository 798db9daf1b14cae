import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { shortened } from './bounded.ts';
import { editedFiles, toolCommand } from './toolAction.ts';
import { fieldsOf, textOf } from './untrusted.ts';

/** Longer ones are cut in the middle, and say so; all of it is in the session's file of events. */
const MAX_CHARACTERS = 8000;
const DIFF_FIELDS = ['diff', 'fileDiff', 'patch'];
const CONTENT_FIELDS = ['content', 'file_text', 'contents'];

/** Exactly what a tool is given, as a person reads it: the command, or the change as a diff. */
export function exactInput(tool: string, input: ExactValue): string {
  return shortened(readable(tool, input), MAX_CHARACTERS);
}

function readable(tool: string, input: ExactValue): string {
  if (typeof input === 'string') return input;
  const fields = fieldsOf(input);
  const diff = firstOf(fields, DIFF_FIELDS);
  if (diff !== undefined) return diff;
  const command = toolCommand(input);
  if (command !== undefined) return command;
  const [file = ''] = editedFiles(tool, input);
  const before = textOf(fields['old_string'] ?? fields['oldString'] ?? fields['old_str']);
  const after = textOf(fields['new_string'] ?? fields['newString'] ?? fields['new_str']);
  if (before !== undefined || after !== undefined) {
    return [`--- ${file}`, ...marked('-', before), ...marked('+', after)].join('\n');
  }
  const content = firstOf(fields, CONTENT_FIELDS);
  if (content !== undefined && file !== '') {
    return [`+++ ${file}`, ...marked('+', content)].join('\n');
  }
  return input === null ? '' : stringifyExactJson(input);
}

function firstOf(
  fields: Readonly<Record<string, ExactValue>>,
  names: readonly string[],
): string | undefined {
  return names.map((name) => textOf(fields[name])).find((text) => text !== undefined);
}

function marked(mark: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark}${line}`);
}
