import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { fieldsOf, joinedText, textOf } from '../common/untrusted.ts';

/** The fields in which agents store a tool's output, in order of preference. */
const TEXT_FIELDS = ['stdout', 'textResultForLlm', 'llmContent', 'output', 'content', 'text'];

/** Extracts the text of a tool's result. */
export function resultText(value: ExactValue): string {
  if (value === undefined || value === null) return '';
  const text = joinedText(value);
  if (text !== '') return text;
  const fields = fieldsOf(value);
  for (const name of TEXT_FIELDS) {
    const found = joinedText(fields[name]);
    if (found !== '') return [found, textOf(fields['stderr'])].filter(Boolean).join('\n');
  }
  return textOf(fields['stderr']) ?? (typeof value === 'object' ? stringifyExactJson(value) : '');
}

/** @param pattern its first group is the exit code */
export function exitCodeIn(output: string, pattern: RegExp): number | undefined {
  const exit = pattern.exec(output);
  return exit ? Number(exit[1]) : undefined;
}
