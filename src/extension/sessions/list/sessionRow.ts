import { sessionName, type Session } from '../session.ts';
import { sessionStart, stateText } from './sessionItem.ts';

/**
 * A row for a session in a picker. Several sessions may have the same name, so the row also has
 * start time and folder.
 * @param state what the session is doing; by default its length and outcome
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

/**
 * Describes the session to which the rows of a picker belong, such as snapshots: its name, start
 * time and folder.
 */
export function sessionPlace(session: Session): string {
  return [sessionName(session), sessionStart(session), session.meta.cwd].join(' · ');
}
