import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { fieldsOf, joinedText, stringsOf, textOf } from '../common/untrusted.ts';

/** The fields in which agents store a tool's output, in order of preference. */
const TEXT_FIELDS = ['stdout', 'textResultForLlm', 'llmContent', 'output', 'content', 'text'];

/** Extracts the text of a tool's result. */
export function resultText(value: ExactValue): string {
  if (value === undefined || value === null) return '';
  const text = joinedText(value);
  if (text !== '') return text;
  const fields = fieldsOf(value);
  // The result of an edit in Claude Code repeats the change, which the call has already.
  if (fields['structuredPatch'] !== undefined) return '';
  for (const name of TEXT_FIELDS) {
    const found = joinedText(fields[name]);
    if (found !== '') return [found, textOf(fields['stderr'])].filter(Boolean).join('\n');
  }
  const stderr = textOf(fields['stderr']);
  if (stderr !== undefined) return stderr;
  // Claude Code's results of searches for files, and of reading a file.
  if (Array.isArray(fields['filenames'])) return stringsOf(fields['filenames']).join('\n');
  const fileText = fieldsOf(fields['file'])['content'];
  if (typeof fileText === 'string') return fileText;
  const isEmpty = typeof fields['stdout'] === 'string';
  return typeof value === 'object' && !isEmpty ? stringifyExactJson(value) : '';
}

/** @param pattern its first group is the exit code */
export function exitCodeIn(output: string, pattern: RegExp): number | undefined {
  const exit = pattern.exec(output);
  return exit ? Number(exit[1]) : undefined;
}
