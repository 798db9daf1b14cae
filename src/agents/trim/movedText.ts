import type { ExactValue } from '../../base/exactJson.ts';
import { isFields } from '../common/untrusted.ts';

/**
 * A character that continues a file name. A path is replaced only where none follows it, so that
 * moving `/a/project` doesn't change `/a/project2`.
 */
const NAME = String.raw`[\p{L}\p{N}_~@%+=-]`;
/**
 * A path is replaced only where none of these comes before it, so that `/b/a/project` stays. `=` is
 * missing because of options such as `--out=/a/project`.
 */
const NAME_BEFORE = String.raw`[\p{L}\p{N}_~@%+-]`;
/** Thoughts of a model are signed, so they must stay unchanged. */
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

/** Replaces paths of moved folders in a text; the longest matching folder wins. */
export function textMover(folders: readonly MovedFolder[]): (text: string) => string {
  const moves = folders.filter(({ from, to }) => from !== '' && from !== '/' && from !== to);
  if (moves.length === 0) return (text) => text;
  const inText = replacer(moves.flatMap(({ from, to }) => spellings(from, to, to)));
  const inJson = replacer(moves.flatMap(({ from, to }) => spellings(from, to, quoted(to))));
  const needsQuotes = moves.some(({ to }) => quoted(to) !== to);
  return (text) => {
    const replaced = inText(text);
    return needsQuotes && replaced !== text && isJson(text) ? inJson(text) : replaced;
  };
}

/** The spellings of a path: plain, escaped as in JSON, and encoded as in a URL. */
function spellings(from: string, to: string, plain: string): [string, string][] {
  return [
    [encodeURI(from), encodeURI(to)],
    [quoted(from), quoted(to)],
    [from, plain],
  ];
}

function replacer(pairs: readonly [string, string][]): (text: string) => string {
  const known = new Map(pairs);
  const longestFirst = [...known.keys()].sort((a, b) => b.length - a.length);
  const folder = longestFirst.map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  // A diff prefixes paths with `a` or `b`, and a short option with its letter: `-I/a/project`.
  const before = String.raw`(?:(?<=(?:^|\s)(?:[ab]|-\p{L}))|(?<!${NAME_BEFORE}|[^:/]/|\.))`;
  const pattern = new RegExp(`${before}(?:${folder})(?!${NAME}|\\.[\\p{L}\\p{N}_])`, 'gu');
  // Few texts contain a path, and `includes` is many times faster than the pattern.
  return (text) =>
    longestFirst.some((path) => text.includes(path))
      ? text.replace(pattern, (found) => known.get(found) ?? found)
      : text;
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Not JSON.
    return false;
  }
}

/** Applies a replacement to all texts and field names of a record, except signed ones. */
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
