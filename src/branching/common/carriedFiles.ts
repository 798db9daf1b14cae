import { isInside } from '../../snapshots/common/pathBelow.ts';
import type { Omission } from '../../snapshots/common/provider.ts';

/**
 * Ignored files that a project needs to run, by name: secrets, packages, and what was built. No Python environments, which
 * have their own place written into them: what is run from a copy works in the original.
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

/** Names, or a path where there is a `/`; `*` stands for any part of a name. */
export class CarryPattern {
  readonly text: string;
  readonly isPath: boolean;
  readonly #names: readonly RegExp[];

  constructor(text: string) {
    this.text = text;
    this.isPath = text.includes('/');
    this.#names = text.replace(/\/+$/, '').split('/').map(expressionOf);
  }

  /** Whether a path is meant, or a folder that it is in. @param names of the folders, and the last one */
  fits(names: readonly string[]): boolean {
    if (!this.isPath) return names.some((name) => this.#names[0]!.test(name));
    return names.length >= this.#names.length && this.#isAlong(names);
  }

  /** How the names of folders, and the last one, go on below a folder where a path leads into it; nothing where it does not. */
  below(names: readonly string[]): readonly RegExp[] {
    const isInto = this.isPath && names.length < this.#names.length && this.#isAlong(names);
    return isInto ? this.#names.slice(names.length) : [];
  }

  #isAlong(names: readonly string[]): boolean {
    return this.#names.slice(0, names.length).every((each, at) => each.test(names[at]!));
  }
}

/** Whether one of the patterns means a path, or a folder that it is in. */
export function isMeant(path: string, patterns: readonly CarryPattern[]): boolean {
  const names = path.split('/');
  return patterns.some((pattern) => pattern.fits(names));
}

/** Which of the files that are not in a snapshot come along, of those the outermost; and what else is ignored. */
export function carriedPaths(
  omissions: readonly Omission[],
  patterns: readonly CarryPattern[],
): { readonly carried: string[]; readonly others: string[] } {
  const [carried, others]: [string[], string[]] = [[], []];
  for (const path of ignoredAmong(omissions))
    (isMeant(path, patterns) ? carried : others).push(path);
  return { carried: outermost(carried), others };
}

/** Without those that are in others. Sorted. */
export function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  const isOutermost = (path: string) => !isInside(all, path.slice(0, path.lastIndexOf('/') + 1));
  return [...all].filter(isOutermost).sort();
}

/** What a snapshot says of itself came from a file: nothing in it may lead out of the workspace. */
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
