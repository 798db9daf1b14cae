import * as vscode from 'vscode';
import type { FoundFact } from '../../search/node/factSource.ts';
import {
  countDistinct,
  distinctHits,
  wordsIn,
  type Counted,
} from '../../timeline/common/search/distinctHits.ts';
import type { SearchHit } from '../../timeline/common/search/searchHits.ts';
import { factIcon } from '../agents/factStyle.ts';
import { COMMANDS } from '../contributions.ts';
import { plainLabel } from '../plainLabel.ts';
import type { Session } from '../sessions/session.ts';
import { sessionPlace } from '../sessions/list/sessionRow.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { dateOf, startText } from '../sessions/timeText.ts';
import type { TimelinePanels } from './timelinePanels.ts';

/** Limit for each session, to leave room in the list for other sessions. */
const HITS_PER_SESSION = 20;

/**
 * A search result. Its label is the time and its description the text: VS Code highlights matches
 * in both, but would sort the rows by matches in their labels.
 */
export interface ResultRow extends vscode.QuickPickItem {
  readonly open?: () => void;
}

/**
 * Rows for prompts, tool calls and answers, newest first. Facts of a session with the same kind and
 * text share a row.
 */
export function factRows(facts: readonly FoundFact[], store: SessionStore): ResultRow[] {
  const distinct = countDistinct(
    facts,
    ({ session, kind, excerpt }) => `${session} ${kind} ${wordsIn(excerpt)}`,
  );
  return distinct.flatMap(({ first: fact, count }) => {
    const session = store.get(fact.session);
    if (!session) return [];
    return [
      {
        ...rowOf(session, fact.timeMs, { first: fact.excerpt, count }),
        iconPath: factIcon(fact.kind),
        open: () => void vscode.commands.executeCommand(COMMANDS.openFact, fact),
      },
    ];
  });
}

/** Rows for the terminal output of a session, except for output that the rows of its facts show. */
export function hitRows(
  session: Session,
  hits: readonly SearchHit[],
  facts: readonly FoundFact[],
  timelines: TimelinePanels,
): ResultRow[] {
  const startedMs = dateOf(session.meta.startedAtNs).getTime();
  const listed = facts
    .filter((fact) => fact.session === session.meta.id)
    .map(({ timeMs, excerpt }) => ({ timeMs: timeMs - startedMs, excerpt }));
  const distinct = distinctHits(hits, listed).slice(0, HITS_PER_SESSION);
  return distinct.map(({ first: hit, count }) => ({
    ...rowOf(session, startedMs + hit.timeMs, { first: hit.excerpt, count }),
    iconPath: new vscode.ThemeIcon('terminal'),
    open: () => timelines.show(session, targetOf(hit)),
  }));
}

function rowOf(session: Session, timeMs: number, { first, count }: Counted<string>) {
  return {
    label: startText(new Date(timeMs), new Date(), vscode.env.language),
    description: `${plainLabel(first)}${count > 1 ? `  ×${count}` : ''}`,
    detail: sessionPlace(session),
    alwaysShow: true,
  };
}

function targetOf({ isPassing, recordIndex, excerpt, byteOffset }: SearchHit) {
  return isPassing ? { recordIndex, text: excerpt } : { byteOffset };
}
