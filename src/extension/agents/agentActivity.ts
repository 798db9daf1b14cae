import { secretsIn } from '../../redaction/redact.ts';
import { endedStatus } from '../../agents/common/status/status.ts';
import { summarize } from '../../agents/common/turns/summary.ts';
import { wallNs } from '../../platform/node/systemClock.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import { readLiveSession } from '../../agents/node/capture/readLiveSession.ts';
import { isRunning, type Session } from '../sessions/session.ts';
import type { AgentActivity } from '../sessions/list/sessionTooltip.ts';
import type { ModelSummaries } from './modelSummaries.ts';

/** Collects what a session's agent has done; undefined if the program is not an agent. */
export async function agentActivityOf(
  session: Session,
  live: LiveSessions,
  models: ModelSummaries,
): Promise<AgentActivity | undefined> {
  const known = live.get(session.meta.id) ?? (await readLiveSession(session.folder));
  if (!known) return undefined;
  const status = isRunning(session) ? known.status(wallNs()) : endedStatus(session.meta.endedAtNs);
  const secrets = secretsIn(process.env);
  const summary = summarize(known.turns, status, secrets);
  const sentence = await models.of(session.meta.id, known.turns, secrets);
  return { status, summary, sentence, turnCount: known.turnCount };
}
