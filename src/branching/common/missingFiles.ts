import { plain, plainText } from '../../base/plainText.ts';
import type { Omission } from '../../snapshots/common/provider.ts';
import type { BranchKind } from './branchRecord.ts';

/** A sentence names this many files and counts the others. */
const NAMED = 3;
const MAX_NAME_LENGTH = 50;

const REASONS: Readonly<Record<Exclude<Omission['reason'], 'ignored'>, string>> = {
  'too-large': 'too large',
  unreadable: 'it could not be read',
  special: 'not a regular file',
  unstable: 'it changed while it was read',
};

/**
 * Warnings about files that a branch lacks because its snapshot does not have them. Ignored files
 * are left out: the user chooses which of them to carry.
 * @returns sentences
 */
export function missingFiles(omissions: readonly Omission[], kind: BranchKind): string[] {
  const named = omissions.flatMap(({ path, reason }) =>
    reason === 'ignored' || path === ''
      ? []
      : [`${plainText(path, MAX_NAME_LENGTH)} (${REASONS[reason]})`],
  );
  // An omission without a path concerns the whole snapshot, and its detail is a sentence.
  const whole = omissions.flatMap(({ path, reason, detail }) =>
    reason !== 'ignored' && path === '' && detail !== undefined ? [plain(detail)] : [],
  );
  if (named.length === 0) return whole;
  const more = named.length > NAMED ? ` and ${named.length - NAMED} more` : '';
  const list = `${named.slice(0, NAMED).join(', ')}${more}.`;
  return [
    kind === 'in-place'
      ? `Files that are not in the snapshot stay as they are: ${list}`
      : `The branch lacks files that are not in the snapshot: ${list}`,
    ...whole,
  ];
}
