import type { ExactValue } from '../../base/exactJson.ts';
import { isFields } from '../untrusted.ts';

/** A name goes on with these: `/a/project` is not in `/a/project2`, and not in `/b/a/project`. */
const NAME = String.raw`[\p{L}\p{N}_~@%+=-]`;
/** What the model thought is signed as it is. */
const SIGNED_TYPES = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const SIGNED_FIELDS = new Set([
  'signature',
  'thoughtSignature',
  'encrypted_content',
  'reasoningText',
  'reasoningOpaque',
]);

export interface MovedFolder {
  /** Absolute, without a slash at the end. */
  readonly from: string;
  readonly to: string;
}

/** Replaces paths of moved folders in a text; the longest folder that fits counts. */
export function textMover(folders: readonly MovedFolder[]): (text: string) => string {
  const spellings = new Map<string, string>();
  for (const { from, to } of folders) {
    if (from === '' || from === '/' || from === to) continue;
    spellings.set(from, to);
    // As it is in JSON that is in a text, and in an address.
    spellings.set(quoted(from), quoted(to));
    spellings.set(encodeURI(from), encodeURI(to));
  }
  if (spellings.size === 0) return (text) => text;
  const longestFirst = [...spellings.keys()].sort((a, b) => b.length - a.length);
  const folder = longestFirst.map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  // A difference has `a` or `b` in front of each path.
  const before = String.raw`(?:(?<=(?:^|\s)[ab])|(?<!${NAME}|[^:/]/|\.))`;
  const pattern = new RegExp(`${before}(?:${folder})(?!${NAME}|\\.[\\p{L}\\p{N}_])`, 'gu');
  return (text) => text.replace(pattern, (found) => spellings.get(found) ?? found);
}

/** Every text in a record, the names of its fields too, but for what is signed. */
export function movedValue(value: ExactValue, moved: (text: string) => string): ExactValue {
  if (typeof value === 'string') return moved(value);
  if (Array.isArray(value)) return value.map((item: ExactValue) => movedValue(item, moved));
  if (!isFields(value)) return value;
  if (typeof value['type'] === 'string' && SIGNED_TYPES.has(value['type'])) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      SIGNED_FIELDS.has(name) ? [name, member] : [moved(name), movedValue(member, moved)],
    ),
  );
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
