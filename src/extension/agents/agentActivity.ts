import { secretsIn } from '../../redaction/redact.ts';
import { endedStatus } from '../../agents/common/status.ts';
import { summarize } from '../../agents/common/summary.ts';
import { nowNs } from '../../agents/node/capture/followedSession.ts';
import type { LiveSessions } from '../../agents/node/capture/liveSessions.ts';
import { readLiveSession } from '../../agents/node/capture/readLiveSession.ts';
import { isRunning, type Session } from '../sessions/session.ts';
import type { AgentDoings } from '../sessions/sessionTooltip.ts';
import type { ModelSummaries } from './modelSummaries.ts';

/** What a session's agent does and did; nothing for a program that is no agent. */
export async function agentActivityOf(
  session: Session,
  live: LiveSessions,
  models: ModelSummaries,
): Promise<AgentDoings | undefined> {
  const known = live.get(session.meta.id) ?? (await readLiveSession(session.folder));
  if (!known) return undefined;
  const status = isRunning(session) ? known.status(nowNs()) : endedStatus(session.meta.endedAtNs);
  const secrets = secretsIn(process.env);
  const summary = summarize(known.turns, status, secrets);
  const sentence = await models.of(session.meta.id, known.turns, secrets);
  return { status, summary, sentence, turnCount: known.turnCount };
}
