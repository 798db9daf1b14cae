import { stringifyExactJson, type ExactValue } from '../../../base/exactJson.ts';
import { shortened } from '../bounded.ts';
import { fieldsOf, type Fields } from '../untrusted.ts';
import { editedFiles, firstText, replacedText, toolCommand } from './toolAction.ts';

/** Longer inputs are shortened in the middle; the events file has them in full. */
const MAX_CHARACTERS = 8000;
const DIFF_FIELDS = ['diff', 'fileDiff', 'patch'];
const CONTENT_FIELDS = ['content', 'file_text', 'contents'];

/** The exact input of a tool in readable form: the command, or the change as a diff. */
export function exactInput(tool: string, input: ExactValue): string {
  return shortened(readable(tool, input), MAX_CHARACTERS);
}

function readable(tool: string, input: ExactValue): string {
  if (typeof input === 'string') return input;
  const diff = firstText(input, DIFF_FIELDS);
  if (diff !== undefined) return diff;
  const changes = changesText(fieldsOf(fieldsOf(input)['changes']));
  if (changes !== '') return changes;
  const command = toolCommand(input);
  if (command !== undefined) return command;
  const [file = ''] = editedFiles(tool, input);
  const { before, after } = replacedText(input);
  if (before !== undefined || after !== undefined) {
    return [`--- ${file}`, ...marked('-', before), ...marked('+', after)].join('\n');
  }
  const content = firstText(input, CONTENT_FIELDS);
  if (content !== undefined && file !== '') {
    return [`+++ ${file}`, ...marked('+', content)].join('\n');
  }
  return input === null ? '' : stringifyExactJson(input);
}

/** The changes that Codex stores by file. */
function changesText(changes: Fields): string {
  const files = Object.entries(changes).map(([file, change]) => {
    const diff = firstText(change, ['unified_diff']);
    if (diff !== undefined) return [`--- ${file}`, diff.replace(/\n$/, '')].join('\n');
    const isDeleted = fieldsOf(change)['type'] === 'delete';
    const [heading, mark] = isDeleted ? ['---', '-'] : ['+++', '+'];
    return [`${heading} ${file}`, ...marked(mark, firstText(change, CONTENT_FIELDS))].join('\n');
  });
  return files.join('\n');
}

function marked(mark: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark}${line}`);
}
