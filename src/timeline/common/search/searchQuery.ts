import { UserError } from '../../../base/errors.ts';

export interface SearchQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

/**
 * Compiles a query for texts of several lines: `^` and `$` match at each line. @throws UserError
 * for an invalid pattern
 */
export function compileQuery({ text, isRegex, isCaseSensitive }: SearchQuery): RegExp {
  const source = isRegex ? text : text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const flags = `gmu${isCaseSensitive ? '' : 'i'}`;
  try {
    return new RegExp(source, isRegex ? flags : flags.replace('u', ''));
  } catch (error) {
    throw new UserError('bad-pattern', 'This is not a regular expression.', { cause: error });
  }
}

/** A match within a text. */
export interface TextMatch {
  readonly start: number;
  readonly length: number;
}

/** Finds all matches in a text. */
export interface Matcher {
  matches(text: string): Promise<readonly TextMatch[]>;
}

/** All matches except empty ones. */
export function matchesIn(text: string, pattern: RegExp): TextMatch[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: { length }, index }) =>
    length === 0 ? [] : [{ start: index, length }],
  );
}
