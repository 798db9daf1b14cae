import { isInside } from '../../snapshots/common/pathBelow.ts';
import type { Omission } from '../../snapshots/common/provider.ts';

/**
 * Patterns of ignored files that a project needs to run: secrets, packages and build output. Python
 * environments are left out, because they contain absolute paths: programs run from a copy would
 * work in the original.
 */
export const DEFAULT_CARRIED: readonly string[] = [
  '.env*',
  'node_modules',
  'vendor',
  'target',
  'dist',
  'build',
  'out',
  '.next',
  '.gradle',
];

/**
 * Matches file names, or paths if the pattern contains a `/`; `*` stands for any part of a name.
 */
export class CarryPattern {
  readonly text: string;
  readonly isPath: boolean;
  readonly #names: readonly RegExp[];

  constructor(text: string) {
    this.text = text;
    this.isPath = text.includes('/');
    this.#names = text.replace(/\/+$/, '').split('/').map(expressionOf);
  }

  /** Whether the pattern matches a path or a folder above it. @param names the parts of the path */
  matches(names: readonly string[]): boolean {
    if (!this.isPath) return names.some((name) => this.#names.some((each) => each.test(name)));
    return names.length >= this.#names.length && this.#matchesStart(names);
  }

  /**
   * The part of a path pattern that remains to be matched inside a folder; empty if the pattern
   * can't match anything in that folder.
   */
  below(names: readonly string[]): readonly RegExp[] {
    const isInto = this.isPath && names.length < this.#names.length && this.#matchesStart(names);
    return isInto ? this.#names.slice(names.length) : [];
  }

  #matchesStart(names: readonly string[]): boolean {
    return this.#names.slice(0, names.length).every((each, at) => each.test(names[at] ?? ''));
  }
}

/** Whether one of the patterns matches a path or a folder above it. */
export function isMatched(path: string, patterns: readonly CarryPattern[]): boolean {
  const names = path.split('/');
  return patterns.some((pattern) => pattern.matches(names));
}

/**
 * Splits the ignored paths into those to carry and others. Leaves out carried paths that are inside
 * other carried paths.
 */
export function carriedPaths(
  omissions: readonly Omission[],
  patterns: readonly CarryPattern[],
): { readonly carried: string[]; readonly others: string[] } {
  const [carried, others]: [string[], string[]] = [[], []];
  for (const path of ignoredAmong(omissions))
    (isMatched(path, patterns) ? carried : others).push(path);
  return { carried: outermost(carried), others };
}

/** The paths that are not inside another path, sorted. */
export function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  const isOutermost = (path: string) => !isInside(all, path.slice(0, path.lastIndexOf('/') + 1));
  return [...all].filter(isOutermost).sort();
}

/** The list of omissions comes from a file, so paths that lead out of the workspace are dropped. */
function ignoredAmong(omissions: readonly Omission[]): string[] {
  return omissions
    .filter(({ reason }) => reason === 'ignored')
    .map(({ path }) => path.replace(/\/+$/, ''))
    .filter((path) => path !== '' && !path.startsWith('/') && !path.split('/').includes('..'));
}

function expressionOf(name: string): RegExp {
  return new RegExp(`^${name.split('*').map(escaped).join('[^/]*')}$`, 'u');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
