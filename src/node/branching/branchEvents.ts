import type { BranchCreated } from '../../agents/events.ts';
import type { BranchRecord } from '../../branching/branchRecord.ts';
import type { Provenance } from '../../branching/provenance.ts';
import type { CataloguedSession } from '../sessions/catalogue.ts';
import { EventsFile } from '../sessions/eventsFile.ts';

/** Where it says no agent, as every event has to. */
const NO_AGENT = 'none';

/** In the session that it comes from, at the moment where it begins. */
export async function tellParent(
  session: CataloguedSession,
  { id, name, from, launch, destination }: BranchRecord,
): Promise<void> {
  await append(session.folder, {
    ...eventBase(id, launch?.agent),
    ...{ timeNs: from.timeNs, byte: from.byte },
    ...{ fromSession: from.sessionId, toSession: id, method: launch?.method ?? 'replay' },
    details: { name, snapshot: from.snapshotId, destination },
  });
}

/** In the branch's own session, at its start. */
export async function tellBranch(
  sessionFolder: string,
  id: string,
  agent: string | undefined,
  { fromSessionId, method, name, fsSnapshotId, fromTs, fromByte }: Provenance,
  nowNs: bigint,
): Promise<void> {
  await append(sessionFolder, {
    ...{ ...eventBase(id, agent), timeNs: nowNs, byte: 0 },
    ...{ fromSession: fromSessionId, toSession: id, method },
    details: { name, snapshot: fsSnapshotId, fromTs, fromByte },
  });
}

function eventBase(id: string, agent: string | undefined) {
  return {
    ...({ id: `host/branch/${id}`, source: 'host', confidence: 'high' } as const),
    ...({ agent: agent ?? NO_AGENT, kind: 'timeline.sessionBranch.created' } as const),
  };
}

async function append(folder: string, event: BranchCreated): Promise<void> {
  const file = await EventsFile.open(folder);
  try {
    await file.append([event]);
  } finally {
    await file.close();
  }
}
