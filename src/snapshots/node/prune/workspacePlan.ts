import type { SnapshotProvider } from '../../common/provider.ts';
import { expiredBySize, expiredSnapshots } from '../../common/retention.ts';
import type { Expiry, KeptMoment, KeptSnapshot, RetentionPolicy } from '../../common/retention.ts';
import { mayBeRestoring } from '../restore/restoreWorkspace.ts';
import { millisecondsOf, type SnapshotUse, type SnapshotUses } from './snapshotUses.ts';

/** A reference and the provider that stores it. */
export interface ProviderRef {
  readonly ref: string;
  readonly provider: SnapshotProvider;
}

/** A reference that moments use, with all its uses. */
export interface PruneCandidate extends KeptSnapshot, ProviderRef {
  readonly uses: readonly SnapshotUse[];
}

/** Everything stored for a workspace, listed before the uses were read. */
export interface StoredRefs {
  readonly workspace: string;
  /** All providers with snapshots of the workspace: the preferred provider may have changed. */
  readonly providers: readonly SnapshotProvider[];
  readonly refs: readonly ProviderRef[];
}

/** What pruning would remove from a workspace. */
export interface WorkspacePlan extends StoredRefs {
  readonly expired: readonly Expiry<PruneCandidate>[];
  /** References that no session uses: their session was deleted, or interrupted work left them. */
  readonly garbage: readonly ProviderRef[];
  /** The disk space that all snapshots of the workspace use before pruning. */
  readonly totalBytes: number;
  /** The disk space that removing the expired snapshots frees. */
  readonly freedBytes: number;
}

/** Plans what to prune. Limits apply to the workspace, across all its providers. */
export async function planWorkspace(
  stored: StoredRefs,
  { byRef, needed }: SnapshotUses,
  policy: RetentionPolicy,
  nowMs: number,
): Promise<WorkspacePlan> {
  const candidates = stored.refs.flatMap((held) => {
    const uses = byRef.get(held.ref);
    return uses ? [candidate(held, uses, needed.has(held.ref))] : [];
  });
  const totalBytes = await costOf(candidates);
  const overLimits = expiredSnapshots(candidates, policy, nowMs);
  const excess = totalBytes - policy.maxBytes;
  const expired = [...overLimits, ...(await expiredBySize(candidates, overLimits, excess, costOf))];
  const garbage = stored.refs.filter(
    ({ ref }) => !byRef.has(ref) && !needed.has(ref) && !mayBeRestoring(ref, nowMs),
  );
  const freedBytes = await costOf(expired.map(({ snapshot }) => snapshot));
  return { ...stored, expired, garbage, totalBytes, freedBytes };
}

/**
 * Estimates the disk space that removing these references frees, for all their providers together.
 */
export async function costOf(held: readonly ProviderRef[]): Promise<number> {
  let bytes = 0;
  for (const [provider, refs] of byProvider(held)) bytes += await provider.cost(refs);
  return bytes;
}

export function byProvider(held: readonly ProviderRef[]): Map<SnapshotProvider, string[]> {
  const refs = new Map<SnapshotProvider, string[]>();
  for (const { provider, ref } of held) {
    const known = refs.get(provider);
    if (known) known.push(ref);
    else refs.set(provider, [ref]);
  }
  return refs;
}

/** Dates the snapshot by its youngest use. */
function candidate(
  held: ProviderRef,
  uses: readonly SnapshotUse[],
  isNeeded: boolean,
): PruneCandidate {
  const youngest = uses.reduce((a, b) => (a.line.tsNs > b.line.tsNs ? a : b));
  return { ...held, ...momentOf(youngest), uses, moments: uses.map(momentOf), isNeeded };
}

function momentOf({ session, line }: SnapshotUse): KeptMoment {
  return { sessionId: session.meta.id, id: line.id, takenMs: millisecondsOf(line.tsNs) };
}
