import { agentOfCommand } from '../../agents/common/agentCommand.ts';
import { KNOWN_AGENTS } from '../../agents/common/detect.ts';
import { plain } from '../../base/plainText.ts';
import type { SessionMeta } from '../../sessions/node/sessionMeta.ts';
import type { SessionNotes } from '../../sessions/node/sessionNotes.ts';

/** A session as the UI shows it. */
export interface Session {
  readonly folder: string;
  readonly meta: SessionMeta;
  readonly notes: SessionNotes;
  /** A scrub of the session is under way, or was interrupted. */
  readonly isScrubUnfinished?: boolean;
}

/** The name of a session: its given name, its agent, or its program. */
export function sessionName({ meta, notes }: Pick<Session, 'meta' | 'notes'>): string {
  const agent = KNOWN_AGENTS.find(({ id }) => id === notes.agent) ?? agentOfCommand(meta.cmd);
  return plain(notes.name ?? '') || agent?.name || plain(programName(meta.cmd));
}

export function programName(command: readonly string[]): string {
  return command[0]?.replace(/^.*[/\\]/, '') || 'session';
}

export function isRunning({ meta }: Pick<Session, 'meta'>): boolean {
  return meta.state === 'running';
}

/** Whether the recording of a running session is paused. */
export function isPaused({ meta, notes }: Pick<Session, 'meta' | 'notes'>): boolean {
  return meta.state === 'running' && notes.isPaused === true;
}
