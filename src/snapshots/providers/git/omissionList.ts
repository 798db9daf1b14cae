import type { Omission } from '../../provider.ts';

/** By path, each once; when there are too many that are ignored, the rest of those is counted. */
export function limitOmissions(omissions: readonly Omission[], limit: number): Omission[] {
  const byPath = new Map(omissions.map((omission) => [omission.path, omission]));
  const sorted = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const told = sorted.filter(({ reason, path }) => reason !== 'ignored' || path === '');
  const ignored = sorted.filter(({ reason, path }) => reason === 'ignored' && path !== '');
  if (told.length + ignored.length <= limit) return sorted;
  const room = Math.max(0, limit - told.length);
  const named = new Set(ignored.slice(0, room));
  return [
    ...sorted.filter((omission) => omission.reason !== 'ignored' || named.has(omission)),
    { path: '', reason: 'ignored', detail: `and ${ignored.length - room} more that are ignored` },
  ];
}
