import { errorCode } from '../../../base/errors.ts';
import { isInside } from '../../common/pathBelow.ts';
import type { Omission } from '../../common/provider.ts';
import type { FileStat } from '../../common/ports.ts';
import { baseName, joinPath } from '../../common/posixPath.ts';
import { pathFromBytes } from '../../common/pathBytes.ts';
import type { WalkResult } from './folderWalk.ts';
import { inParallel } from '../../common/inParallel.ts';
import { omitByStat } from './stableRead.ts';
import type { ScanContext, WorkTree } from './workTree.ts';
import { splitZero } from '../../common/zeroSeparated.ts';

const READ_CONCURRENCY = 16;
const READABLE_BY_ALL = 0o444;

/** Paths are relative to the work tree's root. */
export interface ScanCandidate {
  readonly path: string;
  readonly stat: FileStat;
  /** Our index has no entry for the file. */
  readonly isNew: boolean;
}

export interface ScanCandidates {
  /** Files to read. */
  readonly added: readonly ScanCandidate[];
  /** Entries to remove from our index; those also in `added` are added again. */
  readonly removed: readonly string[];
  readonly nested: readonly string[];
  readonly omissions: readonly Omission[];
  /** Whether a `.gitignore` was added, changed or removed. */
  readonly hasNewRules: boolean;
}

export interface Findings {
  readonly walk: WalkResult;
  /** Output of `git diff-files --raw -z`. */
  readonly changes: Uint8Array;
  /** Paths that `git ls-files -o` lists. */
  readonly others: readonly string[];
  readonly recheck: readonly string[];
  readonly forced: ReadonlySet<string>;
}

/** Decides what to read, what to omit and why. */
export async function findCandidates(
  context: ScanContext,
  workTree: WorkTree,
  findings: Findings,
): Promise<ScanCandidates> {
  const { deleted, retyped, modified } = parseChanges(findings.changes);
  const { others } = findings;
  const nested = outermost([
    ...findings.walk.nested,
    // git lists a repository as a path that ends with a slash. It does not detect a repository
    // without a commit, and lists its files; only the walk finds it.
    ...others.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
  ]);
  const isNested = (path: string): boolean => isInside(nested, path);
  const paths = new Set([
    ...modified,
    ...retyped,
    ...others.filter((path) => !path.endsWith('/')),
    ...findings.recheck,
    ...(workTree.memory.settled === findings.forced ? [] : findings.forced),
  ]);
  const isNew = new Set(others);
  const removed = [...deleted, ...retyped, ...findings.recheck];
  const added: ScanCandidate[] = [];
  const omissions: Omission[] = [];
  await inParallel([...paths], READ_CONCURRENCY, async (path) => {
    context.signal.throwIfAborted();
    if (isNested(path)) return;
    const verdict = await checkFile(context, joinPath(workTree.root, path));
    if ('stat' in verdict) {
      if (hasNameGitRefuses(path, verdict.stat)) {
        omissions.push({
          path,
          reason: 'special',
          detail: "git can't store a file with this name.",
        });
      } else {
        added.push({ path, stat: verdict.stat, isNew: isNew.has(path) });
        return;
      }
    } else if (verdict.reason) {
      omissions.push({ path, ...verdict } as Omission);
    }
    removed.push(path);
  });
  // If an ignored file that the user's index tracks is missing now, check it in the next scan too:
  // git would not list it when it comes back.
  const present = new Set(added.map(({ path }) => path));
  const gone = new Set(removed);
  const isSettled = [...findings.forced].every((path) =>
    workTree.memory.settled === findings.forced ? !gone.has(path) : present.has(path),
  );
  if (isSettled) workTree.memory.settled = findings.forced;
  else delete workTree.memory.settled;
  const touched = [...added.map(({ path }) => path), ...removed];
  const hasNewRules = touched.some((path) => baseName(path) === '.gitignore');
  return { added, removed, nested: [...nested], omissions, hasNewRules };
}

type Verdict = { readonly stat: FileStat } | Partial<Pick<Omission, 'reason' | 'detail'>>;

async function checkFile({ ports, limits }: ScanContext, path: string): Promise<Verdict> {
  try {
    const stat = await ports.files.stat(path);
    const refusal = omitByStat(stat, limits);
    if (refusal?.kind === 'omitted') {
      return { reason: refusal.reason, ...(refusal.detail && { detail: refusal.detail }) };
    }
    // Untested: a folder took the file's place during the scan; the next scan looks into it.
    if (refusal) return {};
    const isSurelyReadable = (stat.mode & READABLE_BY_ALL) === READABLE_BY_ALL;
    if (stat.kind === 'symlink' || isSurelyReadable || (await ports.files.canRead(path))) {
      return { stat };
    }
    return { reason: 'unreadable' };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    if (code === undefined) throw error;
    return { reason: 'unreadable', detail: code };
  }
}

/**
 * git refuses paths with a part named `.git`, in upper or lower case, and symbolic links named
 * `.gitmodules`.
 */
export function hasNameGitRefuses(path: string, { kind }: Pick<FileStat, 'kind'>): boolean {
  if (path.split('/').some((name) => name.toLowerCase() === '.git')) return true;
  return kind === 'symlink' && baseName(path).toLowerCase() === '.gitmodules';
}

function parseChanges(bytes: Uint8Array) {
  const changes = { deleted: [] as string[], retyped: [] as string[], modified: [] as string[] };
  const parts = splitZero(bytes);
  for (const head of parts) {
    const path = parts.next().value as Uint8Array | undefined;
    // Untested: git prints a path for every change; this only narrows the type.
    if (!path) break;
    const name = pathFromBytes(path);
    // The last letter is D for deleted, T for a changed type, and another one for modified.
    const letter = head[head.length - 1];
    if (letter === 68) changes.deleted.push(name);
    else if (letter === 84) changes.retyped.push(name);
    else changes.modified.push(name);
  }
  return changes;
}

/** Sorts paths and removes those that are inside of others. */
function outermost(paths: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const path of [...paths].sort()) if (!isInside(found, path)) found.add(path);
  return found;
}
