import { sessionName, type Session } from '../session.ts';
import { sessionStart, stateText } from './sessionItem.ts';

/**
 * A row of a picker for a session. Names repeat: start time and folder tell sessions apart.
 * @param state what it is doing; by default its length and outcome
 */
export function sessionRow(
  session: Session,
  state = stateText(session),
): {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
} {
  return {
    label: sessionName(session),
    description: `${sessionStart(session)} · ${state}`,
    detail: session.meta.cwd,
  };
}

/** Names the session of a picker's rows, such as snapshots: its name, start time and folder. */
export function sessionPlace(session: Session): string {
  return [sessionName(session), sessionStart(session), session.meta.cwd].join(' · ');
}
