import type { BranchRecord } from './branchRecord.ts';

/** Branches, and where they start: those sessions and snapshots are kept. */
export interface BranchOrigins {
  list(): Promise<readonly Pick<BranchRecord, 'id' | 'from'>[]>;
}
