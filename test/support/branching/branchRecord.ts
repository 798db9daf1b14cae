import type { BranchRecord } from '../../../src/branching/common/branchRecord.ts';
import { nodeProcesses } from '../../../src/platform/node/processes/processes.ts';

/** A complete branch that waits for a window. */
export function branchRecord(more: Partial<BranchRecord> = {}): BranchRecord {
  return {
    version: 1,
    id: 'b1',
    name: 'n',
    state: 'ready',
    owner: nodeProcesses.own,
    kind: 'clone',
    provider: 'git',
    createdAtNs: 1n,
    destination: '/d',
    workspace: '/d',
    from: {
      sessionId: 's',
      workspace: '/w',
      snapshotId: 1n,
      snapshotRef: 'r',
      byte: 0,
      timeNs: 1n,
    },
    launch: {
      cmd: ['x'],
      cwd: '/d',
      env: {},
      method: 'replay',
      warnings: [],
      details: {},
      isWaiting: true,
    },
    ...more,
  };
}
