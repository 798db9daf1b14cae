import { plain, plainText } from '../../base/plainText.ts';
import type { Omission } from '../../snapshots/common/provider.ts';
import type { BranchKind } from './branchRecord.ts';

/** The rest are counted. */
const NAMED = 3;
const MAX_NAME_LENGTH = 50;

const REASONS: Readonly<Record<Exclude<Omission['reason'], 'ignored'>, string>> = {
  'too-large': 'too large',
  unreadable: 'it could not be read',
  special: 'no ordinary file',
  unstable: 'it changed while it was read',
};

/** Says what a branch does not get because its snapshot does not have it. What is ignored is chosen by the person. @returns sentences */
export function missingFiles(omissions: readonly Omission[], kind: BranchKind): string[] {
  const named = omissions.flatMap(({ path, reason }) =>
    reason === 'ignored' || path === ''
      ? []
      : [`${plainText(path, MAX_NAME_LENGTH)} (${REASONS[reason]})`],
  );
  // What is true of the snapshot as a whole is a sentence already.
  const whole = omissions.flatMap(({ path, reason, detail }) =>
    reason !== 'ignored' && path === '' && detail !== undefined ? [plain(detail)] : [],
  );
  if (named.length === 0) return whole;
  const more = named.length > NAMED ? ` and ${named.length - NAMED} more` : '';
  const list = `${named.slice(0, NAMED).join(', ')}${more}.`;
  return [
    kind === 'in-place'
      ? `What the snapshot does not have stays as it is: ${list}`
      : `The branch lacks what the snapshot does not have: ${list}`,
    ...whole,
  ];
}
