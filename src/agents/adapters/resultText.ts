import { stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { fieldsOf, joinedText, textOf } from '../common/untrusted.ts';

/** Where agents put what a tool printed. */
const TEXT_FIELDS = ['stdout', 'textResultForLlm', 'llmContent', 'output', 'content', 'text'];

/** The text of a tool's result, whatever its shape. */
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
