import * as vscode from 'vscode';
import type { ProblemKind, RecordingProblem } from '../../recording/format/problem.ts';
import type {
  PageNotice,
  PageState,
} from '../../timeline/common/protocol/recordingPageProtocol.ts';
import type { RecordedState } from '../../terminal/lines/recordingContent.ts';
import { bytesText, dateOf, durationText } from '../sessions/timeText.ts';

/** The session of a recording, if it belongs to this machine. */
export interface SessionFacts {
  readonly name: string;
  readonly command: string;
  readonly folder: string;
  readonly isRunning: boolean;
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  readonly isStopped: boolean;
}

/** Number of items shown at first: a page of this size loads at once. */
const LAST_ITEMS = 5000;

/** The localized content of the page, except for its lines. */
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
            'Showing only the last {0} of {1} lines and moments.',
            LAST_ITEMS.toLocaleString(language),
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
    found.push([vscode.l10n.t('Duration'), length]);
  }
  found.push([vscode.l10n.t('File'), bytesText(state.fileBytes, language)]);
  if (startedAtNs === undefined) return found;
  found.push([vscode.l10n.t('Output'), bytesText(state.outputBytes, language)]);
  found.push([vscode.l10n.t('Terminal'), `${state.cols} × ${state.rows}`]);
  found.push([vscode.l10n.t('Moments'), state.momentCount.toLocaleString(language)]);
  const exit = session && exitText(session);
  if (exit !== undefined) found.push([vscode.l10n.t('Exit code'), exit]);
  if (session) found.push([vscode.l10n.t('Folder'), session.folder]);
  return found;
}

function exitText({ isStopped, signal, exitCode }: SessionFacts): string | undefined {
  if (isStopped) return vscode.l10n.t('stopped');
  return signal ? vscode.l10n.t('signal {0}', signal) : exitCode?.toString();
}

/** Notices about incomplete, damaged or growing recordings. */
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
    add('live', vscode.l10n.t('Recording in progress: new lines appear as they are printed.'));
  } else if (isEndless) {
    const interrupted = vscode.l10n.t(
      'The recorder was interrupted; the recording is complete up to then.',
    );
    const unknown = vscode.l10n.t(
      'This recording is unfinished: its recorder is still running elsewhere, or was interrupted.',
    );
    const text = session ? interrupted : unknown;
    add('warning', state.problem ? `${text} ${intactText(state.problem, state)}` : text);
  }
  // An unfinished recording is also truncated: show only one of the two notices.
  const isRedundant =
    session?.isRunning === true || (isEndless && state.problem?.kind === 'truncated');
  if (state.problem && !state.failure && !isRedundant) {
    const isForeign = state.problem.kind === 'badMagic' && state.problem.fileOffset === 0;
    add(
      'warning',
      isForeign
        ? vscode.l10n.t('This is not a recording.')
        : `${problemText(state.problem.kind)} ${intactText(state.problem, state)}`,
    );
  }
  if (state.omittedLines > 0) {
    const count = state.omittedLines.toLocaleString(vscode.env.language);
    add(
      'warning',
      vscode.l10n.t('This recording is very long: the first {0} lines are not shown.', count),
    );
  }
  return found;
}

function failureText({ failure, startedAtNs }: RecordedState): string {
  if (failure?.code !== 'recording-gone') {
    return vscode.l10n.t('Can’t read the file: {0}', failure?.message ?? '');
  }
  return startedAtNs === undefined
    ? vscode.l10n.t('The file does not exist.')
    : vscode.l10n.t('The file was deleted. This was its content.');
}

/** How much of the file is intact, the same as `ah agent validate` reports it. */
function intactText({ fileOffset }: RecordingProblem, { fileBytes }: RecordedState): string {
  return vscode.l10n.t('The first {0} of {1} bytes are intact.', fileOffset, fileBytes);
}

function problemText(kind: ProblemKind): string {
  switch (kind) {
    case 'truncated':
      return vscode.l10n.t('The end of this recording is missing; everything before it is shown.');
    case 'badVersion':
      return vscode.l10n.t(
        'Part of this recording was written by a newer version and can’t be read.',
      );
    case 'tooManyBlocks':
      return vscode.l10n.t(
        'This recording is too long to show completely; only the beginning is shown.',
      );
    case 'badMagic':
    case 'badLengths':
    case 'badBlock':
    case 'badRecord':
    case 'badOrder':
      return vscode.l10n.t('Part of this recording is damaged; the rest is shown.');
  }
}

function emptyText(state: RecordedState): string {
  if (state.failure || state.progress < 1) return '';
  return state.fileBytes === 0
    ? vscode.l10n.t('This recording is still empty.')
    : vscode.l10n.t('This recording ends with an empty screen.');
}
