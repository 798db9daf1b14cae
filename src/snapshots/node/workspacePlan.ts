import type { SnapshotProvider } from '../common/provider.ts';
import { expiredBySize, expiredSnapshots } from '../common/retention.ts';
import type { Expiry, KeptMoment, KeptSnapshot, RetentionPolicy } from '../common/retention.ts';
import { mayBeRestoring } from './restoreWorkspace.ts';
import { millisecondsOf, type SnapshotUse, type SnapshotUses } from './snapshotUses.ts';

/** A reference to a state, and who keeps it. */
export interface HeldRef {
  readonly ref: string;
  readonly provider: SnapshotProvider;
}

/** A reference that is used, and all who use it. */
export interface Candidate extends KeptSnapshot, HeldRef {
  readonly uses: readonly SnapshotUse[];
}

/** What there is of a workspace, listed before anybody was asked what is needed. */
export interface Holding {
  readonly workspace: string;
  /** Every one that has snapshots of it: the first choice may have been another then. */
  readonly providers: readonly SnapshotProvider[];
  readonly refs: readonly HeldRef[];
}

/** What pruning a workspace's snapshots would remove. */
export interface WorkspacePlan extends Holding {
  readonly expired: readonly Expiry<Candidate>[];
  /** References that nobody knows: of sessions that are gone, or left by work that was interrupted. */
  readonly garbage: readonly HeldRef[];
  /** What all snapshots of the workspace cost, before. */
  readonly totalBytes: number;
  /** What removing these frees. */
  readonly freedBytes: number;
}

/** Limits are those of the workspace, whoever keeps its states. */
export async function planWorkspace(
  holding: Holding,
  { byRef, needed }: SnapshotUses,
  policy: RetentionPolicy,
  nowMs: number,
): Promise<WorkspacePlan> {
  const candidates = holding.refs.flatMap((held) => {
    const uses = byRef.get(held.ref);
    return uses ? [candidate(held, uses, needed.has(held.ref))] : [];
  });
  const totalBytes = await costOf(candidates);
  const timely = expiredSnapshots(candidates, policy, nowMs);
  const excess = totalBytes - policy.maxBytes;
  const expired = [...timely, ...(await expiredBySize(candidates, timely, excess, costOf))];
  const garbage = holding.refs.filter(
    ({ ref }) => !byRef.has(ref) && !needed.has(ref) && !mayBeRestoring(ref, nowMs),
  );
  const freedBytes = await costOf(expired.map(({ snapshot }) => snapshot));
  return { ...holding, expired, garbage, totalBytes, freedBytes };
}

/** What removing these frees, at each of their keepers. */
export async function costOf(held: readonly HeldRef[]): Promise<number> {
  let bytes = 0;
  for (const [provider, refs] of byProvider(held)) bytes += await provider.cost(refs);
  return bytes;
}

export function byProvider(held: readonly HeldRef[]): Map<SnapshotProvider, string[]> {
  const refs = new Map<SnapshotProvider, string[]>();
  for (const { provider, ref } of held) {
    const known = refs.get(provider);
    if (known) known.push(ref);
    else refs.set(provider, [ref]);
  }
  return refs;
}

/** As young as its youngest use. */
function candidate(held: HeldRef, uses: readonly SnapshotUse[], isNeeded: boolean): Candidate {
  const youngest = uses.reduce((a, b) => (a.line.tsNs > b.line.tsNs ? a : b));
  return { ...held, ...momentOf(youngest), uses, moments: uses.map(momentOf), isNeeded };
}

function momentOf({ session, line }: SnapshotUse): KeptMoment {
  return { sessionId: session.meta.id, id: line.id, takenMs: millisecondsOf(line.tsNs) };
}
