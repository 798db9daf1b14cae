import type { BranchRecord } from '../../common/branchRecord.ts';
import type { Provenance } from '../../common/provenance.ts';
import type { CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { appendEvent } from '../../../sessions/node/eventsFile.ts';

/** The agent in events of other programs, because every event has to name an agent. */
const NO_AGENT = 'none';

/**
 * Appends an event about the branch to the original session, at the moment where the branch starts.
 */
export function appendBranchToOriginal(
  session: CataloguedSession,
  { id, name, from, launch, destination }: BranchRecord,
): void {
  appendEvent(session.folder, {
    ...eventBase(id, launch?.agent),
    timeNs: from.timeNs,
    byte: from.byte,
    fromSession: from.sessionId,
    toSession: id,
    method: launch?.method ?? 'replay',
    details: { name, snapshot: from.snapshotId, destination },
  });
}

/** Appends an event about the branch to the branch's own session, at its start. */
export function appendBranchStart(
  sessionFolder: string,
  id: string,
  agent: string | undefined,
  { fromSessionId, method, name, fsSnapshotId, fromTs, fromByte }: Provenance,
  nowNs: bigint,
): void {
  appendEvent(sessionFolder, {
    ...eventBase(id, agent),
    timeNs: nowNs,
    byte: 0,
    fromSession: fromSessionId,
    toSession: id,
    method,
    details: { name, snapshot: fsSnapshotId, fromTs, fromByte },
  });
}

function eventBase(id: string, agent: string | undefined) {
  return {
    id: `host/branch/${id}`,
    source: 'host',
    confidence: 'high',
    agent: agent ?? NO_AGENT,
    kind: 'timeline.sessionBranch.created',
  } as const;
}
