import { isInside } from '../snapshots/pathBelow.ts';
import type { Omission } from '../snapshots/provider.ts';

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

/**
 * Which of the files that are not in a snapshot come along, of those the outermost.
 * @param patterns names, or paths where there is a `/`, of them or of a folder they are in; `*` stands for any part of a name
 */
export function carriedPaths(
  omissions: readonly Omission[],
  patterns: readonly string[],
): string[] {
  const matchers = patterns.filter((pattern) => pattern !== '').map(matcherOf);
  const paths = omissions
    .filter(({ reason }) => reason === 'ignored')
    .map(({ path }) => path.replace(/\/+$/, ''))
    .filter((path) => isWithin(path) && matchers.some((matches) => matches(path)));
  const all = new Set(paths);
  const isOutermost = (path: string) => !isInside(all, path.slice(0, path.lastIndexOf('/') + 1));
  return [...all].filter(isOutermost).sort();
}

function matcherOf(pattern: string): (path: string) => boolean {
  const parts = pattern.replace(/\/+$/, '').split('*').map(escaped);
  const expression = new RegExp(`^${parts.join('[^/]*')}$`, 'u');
  const isPath = pattern.includes('/');
  return (path) => {
    const names = path.split('/');
    return names.some((name, at) =>
      expression.test(isPath ? names.slice(0, at + 1).join('/') : name),
    );
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** What a snapshot says of itself came from a file: nothing in it may lead out of the workspace. */
function isWithin(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..');
}
