import type { ExactValue } from '../base/exactJson.ts';
import { stringifyExactJson } from '../base/exactJson.ts';
import { plain } from '../base/plainText.ts';

/** What a tool gets is kept exactly up to here: commands and edits are far smaller, whole files may not be. */
export const MAX_INPUT_CHARACTERS = 256 * 1024;
/** Of each text in an input that is too long. */
const CUT_TEXT_CHARACTERS = 8 * 1024;
export const MAX_SUMMARY_CHARACTERS = 2000;
export const MAX_MESSAGE_CHARACTERS = 256 * 1024;
const MAX_TITLE_CHARACTERS = 200;

/** The start and the end of a text: errors are at the end, what it is about at the start. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const mark = ` … ${text.length - length} characters left out … `;
  const head = Math.ceil(length * 0.6);
  return detached(text.slice(0, head) + mark + text.slice(text.length - (length - head)));
}

/** A copy: engines let a part of a text hold on to all of it, and a session keeps many parts of long texts. */
function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** The first line of a text, short enough for a list. */
export function oneLine(text: string): string {
  const line = plain(text).replace(/\s+/g, ' ');
  if (line.length <= MAX_TITLE_CHARACTERS) return line;
  return detached(`${line.slice(0, MAX_TITLE_CHARACTERS - 1)}…`);
}

/** An input as it is; of one that is too long, its texts are cut, and say so. */
export function boundedInput(input: ExactValue): ExactValue {
  if (input === undefined) return null;
  if (stringifyExactJson(input).length <= MAX_INPUT_CHARACTERS) return input;
  return cut(input, 0);
}

function cut(value: ExactValue, depth: number): ExactValue {
  if (typeof value === 'string') return shortened(value, CUT_TEXT_CHARACTERS);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= 3) return '…';
  if (Array.isArray(value)) {
    return value.slice(0, 20).map((item: ExactValue) => cut(item, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 20)
      .map(([key, member]) => [key, cut(member, depth + 1)]),
  );
}
