import { stringifyExactJson, type ExactValue } from '../../../base/exactJson.ts';
import { shortened } from '../bounded.ts';
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

function marked(mark: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark}${line}`);
}
