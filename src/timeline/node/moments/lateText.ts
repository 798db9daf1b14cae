import * as l10n from '@vscode/l10n';
import type { SnapshotFiles } from '../../../snapshots/common/snapshotLine.ts';

/**
 * Warns that a snapshot was completed only after the agent had continued; empty for other
 * snapshots.
 */
export function lateText(files: SnapshotFiles): string {
  const isLate = files.state === 'kept' && files.isLate === true;
  return isLate ? l10n.t('late: may contain later changes') : '';
}
