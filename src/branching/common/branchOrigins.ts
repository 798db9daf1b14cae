import type { BranchRecord } from './branchRecord.ts';

/** Where branches start: their sessions and snapshots are kept. */
export interface BranchOrigins {
  list(): Promise<readonly Pick<BranchRecord, 'from'>[]>;
}
