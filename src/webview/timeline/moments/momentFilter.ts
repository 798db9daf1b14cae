import * as l10n from '@vscode/l10n';
import type { MomentKind, PageMoment } from '../../../timeline/common/moments/moment.ts';

const MOMENT_FILTERS = [
  'all',
  'prompts',
  'tools',
  'snapshots',
  'errors',
  'manual',
  'automatic',
  'resizes',
] as const;

/** Which moments are listed, marked on the scrubber, and reached by the keys. */
export type MomentFilter = (typeof MOMENT_FILTERS)[number];

export const FILTER_TEXT: Readonly<Record<MomentFilter, string>> = {
  all: l10n.t('All'),
  prompts: l10n.t('Prompts'),
  tools: l10n.t('Tools'),
  snapshots: l10n.t('Snapshots'),
  errors: l10n.t('Errors'),
  manual: l10n.t('Manual'),
  automatic: l10n.t('Automatic'),
  resizes: l10n.t('Resizes'),
};

const KINDS: Readonly<Record<'prompts' | 'tools', readonly MomentKind[]>> = {
  prompts: ['prompt', 'message'],
  tools: ['tool', 'approval'],
};

export function isMomentFilter(value: unknown): value is MomentFilter {
  return (MOMENT_FILTERS as readonly unknown[]).includes(value);
}

export function matchesFilter(moment: PageMoment, filter: MomentFilter): boolean {
  if (filter === 'resizes') return moment.kind === 'resize';
  // Only the filter for resizes shows them: dragging an edge of the window makes dozens.
  if (moment.kind === 'resize') return false;
  switch (filter) {
    case 'all':
      return true;
    case 'prompts':
    case 'tools':
      return KINDS[filter].includes(moment.kind);
    case 'snapshots':
      return moment.kind === 'snapshot' || moment.snapshotId !== undefined;
    case 'errors':
      return moment.kind === 'error' || moment.isError === true;
    case 'manual':
      return moment.isManual === true;
    case 'automatic':
      return moment.isManual !== true;
  }
}

/**
 * The filters that match some moments. `automatic` is left out if it matches all listed moments.
 */
export function usefulFilters(moments: readonly PageMoment[]): MomentFilter[] {
  const listed = moments.filter((moment) => matchesFilter(moment, 'all')).length;
  return MOMENT_FILTERS.filter((filter) => {
    if (filter === 'all') return true;
    const count = moments.filter((moment) => matchesFilter(moment, filter)).length;
    return count > 0 && (filter !== 'automatic' || count < listed);
  });
}
