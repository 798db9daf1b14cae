import type { MomentKind } from '../../../timeline/common/moment.ts';
import type { PageMoment } from '../host/parseEvents.ts';
import { t } from '../words.ts';

export const MOMENT_FILTERS = [
  'all',
  'prompts',
  'tools',
  'snapshots',
  'errors',
  'manual',
  'automatic',
] as const;

/** Which moments are listed, marked and stepped through. */
export type MomentFilter = (typeof MOMENT_FILTERS)[number];

export const FILTER_TEXT: Readonly<Record<MomentFilter, string>> = {
  all: t('All'),
  prompts: t('Prompts'),
  tools: t('Tools'),
  snapshots: t('Snapshots'),
  errors: t('Errors'),
  manual: t('Manual'),
  automatic: t('Automatic'),
};

const KINDS: Readonly<Partial<Record<MomentFilter, readonly MomentKind[]>>> = {
  prompts: ['prompt', 'message'],
  tools: ['tool', 'approval'],
};

export function isMomentFilter(value: unknown): value is MomentFilter {
  return (MOMENT_FILTERS as readonly unknown[]).includes(value);
}

export function passes(moment: PageMoment, filter: MomentFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'prompts':
    case 'tools':
      return KINDS[filter]!.includes(moment.kind);
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

/** Those that would show something, and not everything. */
export function usefulFilters(moments: readonly PageMoment[]): MomentFilter[] {
  return MOMENT_FILTERS.filter((filter) => {
    if (filter === 'all') return true;
    const count = moments.filter((moment) => passes(moment, filter)).length;
    return count > 0 && (filter !== 'automatic' || count < moments.length);
  });
}
