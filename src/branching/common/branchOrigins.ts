import type { BranchRecord } from './branchRecord.ts';

/** Lists branches with the session and snapshot that each starts from, which pruning must keep. */
export interface BranchOrigins {
  list(): Promise<readonly Pick<BranchRecord, 'id' | 'from'>[]>;
}
