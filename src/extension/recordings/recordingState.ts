import * as vscode from 'vscode';
import type { ProblemKind } from '../../recording/format/problem.ts';
import type { PageNotice, PageState } from '../../timeline/common/recordingPage.ts';
import type { RecordedState } from '../../terminal/lines/recordingContent.ts';
import { bytesText, dateOf, durationText } from '../sessions/timeText.ts';

/** What is known of the session that a recording is of, where it is one of this machine's. */
export interface SessionFacts {
  readonly name: string;
  readonly command: string;
  readonly folder: string;
  readonly isRunning: boolean;
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
}

/** Items shown until all are asked for: all can be searched, and a page of so many is there at once. */
const LAST_ITEMS = 5000;

/** The page of a recording but for its lines, in the reader's language. */
export function pageState(
  fileName: string,
  state: RecordedState,
  session: SessionFacts | undefined,
): PageState {
  const language = vscode.env.language;
  const isPartial = state.itemCount > LAST_ITEMS;
  return {
    title: session?.name ?? fileName,
    command: session?.command,
    facts: facts(state, session, language),
    notices: notices(state, session),
    empty: emptyText(state),
    generation: state.generation,
    itemCount: state.itemCount,
    settledItems: state.settledItems,
    lastItems: LAST_ITEMS,
    partial: isPartial
      ? {
          text: vscode.l10n.t(
            'Only the end is shown, of {0} lines and moments.',
            state.itemCount.toLocaleString(language),
          ),
          showAll: vscode.l10n.t('Show All'),
        }
      : undefined,
    linesLabel: vscode.l10n.t('Final lines and moments'),
  };
}

function facts(
  state: RecordedState,
  session: SessionFacts | undefined,
  language: string,
): [string, string][] {
  const { startedAtNs, endedAtNs } = state;
  const found: [string, string][] = [];
  if (startedAtNs !== undefined && endedAtNs !== undefined) {
    const started = dateOf(startedAtNs);
    found.push([vscode.l10n.t('Started'), started.toLocaleString(language)]);
    const length = durationText(dateOf(endedAtNs).getTime() - started.getTime());
    found.push([vscode.l10n.t('Length'), length]);
  }
  found.push([vscode.l10n.t('File'), bytesText(state.fileBytes, language)]);
  if (startedAtNs === undefined) return found;
  found.push([vscode.l10n.t('Output'), bytesText(state.outputBytes, language)]);
  found.push([vscode.l10n.t('Terminal'), `${state.cols} × ${state.rows}`]);
  found.push([vscode.l10n.t('Moments'), state.momentCount.toLocaleString(language)]);
  const exit = session?.signal
    ? vscode.l10n.t('signal {0}', session.signal)
    : session?.exitCode?.toString();
  if (exit !== undefined) found.push([vscode.l10n.t('Exit'), exit]);
  if (session) found.push([vscode.l10n.t('Folder'), session.folder]);
  return found;
}

/** What a reader must know before trusting what is shown. */
function notices(state: RecordedState, session: SessionFacts | undefined): PageNotice[] {
  const found: PageNotice[] = [];
  const add = (kind: PageNotice['kind'], text: string) => found.push({ kind, text });
  if (state.failure) add('warning', failureText(state));
  if (state.progress < 1) {
    const percent = Math.floor(state.progress * 100);
    add('progress', vscode.l10n.t('Reading the recording: {0} %', percent));
  }
  const isEndless = !state.isFinished && state.startedAtNs !== undefined;
  if (session?.isRunning === true) {
    add('live', vscode.l10n.t('Being recorded now: new lines appear as they come.'));
  } else if (isEndless) {
    const interrupted = vscode.l10n.t(
      'The recorder did not get to the end; all before is complete.',
    );
    const unknown = vscode.l10n.t(
      'It has no end: it is being recorded elsewhere, or its recorder was interrupted.',
    );
    add('warning', session ? interrupted : unknown);
  }
  // A part cut off at the end is what having no end is.
  const isSaid = session?.isRunning === true || (isEndless && state.problem?.kind === 'truncated');
  if (state.problem && !state.failure && !isSaid) {
    const isForeign = state.problem.kind === 'badMagic' && state.problem.fileOffset === 0;
    add(
      'warning',
      isForeign ? vscode.l10n.t('This is not a recording.') : problemText(state.problem.kind),
    );
  }
  if (state.omittedLines > 0) {
    const count = state.omittedLines.toLocaleString(vscode.env.language);
    add('warning', vscode.l10n.t('It is very long: the first {0} lines are left out here.', count));
  }
  return found;
}

function failureText({ failure, startedAtNs }: RecordedState): string {
  if (failure?.code !== 'recording-gone') {
    return vscode.l10n.t('The file cannot be read: {0}', failure?.message ?? '');
  }
  return startedAtNs === undefined
    ? vscode.l10n.t('There is no such file.')
    : vscode.l10n.t('The file is gone. This is what it held.');
}

function problemText(kind: ProblemKind): string {
  switch (kind) {
    case 'truncated':
      return vscode.l10n.t('Its last part was cut off; all before is shown.');
    case 'badVersion':
      return vscode.l10n.t('A part of it was written by a newer version and cannot be read.');
    case 'tooManyBlocks':
      return vscode.l10n.t('It has more parts than can be read; the first ones are shown.');
    case 'badMagic':
    case 'badLengths':
    case 'badBlock':
    case 'badRecord':
    case 'badOrder':
      return vscode.l10n.t('A part of it is damaged; what is good is shown.');
  }
}

function emptyText(state: RecordedState): string {
  if (state.failure || state.progress < 1) return '';
  return state.fileBytes === 0
    ? vscode.l10n.t('Nothing has been recorded yet.')
    : vscode.l10n.t('It ends with an empty screen.');
}
