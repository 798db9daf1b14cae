import { messageOf } from '../../base/errors.ts';
import type { SessionContext } from '../sessionContext.ts';
import type { SessionLog } from '../sessionLog.ts';
import type { SessionSnapshots } from '../snapshots/sessionSnapshots.ts';
import { AgentFollower } from './agentFollower.ts';

/** Opens the follower of a known agent and connects it to the snapshots. */
export async function followAgent(
  { spec, clock, redaction, hostLog }: SessionContext,
  log: SessionLog,
  snapshots: SessionSnapshots,
): Promise<AgentFollower | undefined> {
  const agent = await AgentFollower.open(spec, {
    clock,
    redaction,
    byteOffset: () => log.totalBytes,
    takeSnapshot: (request) => snapshots.take(request),
    reportBug: (error) => hostLog.write(`Bug while following the agent: ${messageOf(error)}`),
  });
  if (!agent) return undefined;
  snapshots.onDidRecord(({ anchorByte, tsNs }) => agent.momentRecorded(anchorByte, tsNs));
  if (spec.isCaptureOff) await agent.setCapture(false);
  return agent;
}
