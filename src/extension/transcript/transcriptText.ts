import * as vscode from 'vscode';
import { nanosecondsAt } from '../../timeline/common/recordIndex.ts';
import type { TranscriptLineBody } from '../../timeline/common/webviewProtocol.ts';
import { dateOf } from '../sessions/timeText.ts';
import type { SessionTranscript } from './sessionTranscript.ts';

/** What the line of a moment begins with, so that kinds can be told apart, searched and coloured. */
const SIGNS: Readonly<Record<string, string>> = {
  prompt: '❯',
  message: '●',
  tool: '▸',
  approval: '?',
  error: '✗',
  snapshot: '◆',
  branch: '⎇',
  mark: '★',
};

/** The document: one line for each of the transcript's. */
export function transcriptText(transcript: SessionTranscript): string {
  const { lines, trouble, isCurrent, startNs } = transcript;
  if (lines.length === 0) {
    if (trouble !== undefined) return trouble;
    return isCurrent
      ? vscode.l10n.t('Nothing has been shown yet.')
      : vscode.l10n.t('Reading the recording…');
  }
  const clock = new Intl.DateTimeFormat(vscode.env.language, {
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
  });
  return lines.map((line) => lineText(line, startNs, clock)).join('\n');
}

function lineText(line: TranscriptLineBody, startNs: bigint, clock: Intl.DateTimeFormat): string {
  const { kind, text, timeMs, detail, turn, snapshotId, isError, count } = line;
  if (kind === 'screen') return `    ${text}`;
  if (kind === 'text') return text === '' ? '' : `  ${text}`;
  if (kind === 'omitted') {
    const number = (count ?? 0).toLocaleString(vscode.env.language);
    return `    … ${vscode.l10n.t('{0} lines are left out here; the timeline has them', number)} …`;
  }
  const time = clock.format(dateOf(nanosecondsAt(startNs, timeMs)));
  const number = kind === 'prompt' ? turn : snapshotId === undefined ? undefined : `#${snapshotId}`;
  return [
    isError ? SIGNS['error'] : (SIGNS[kind] ?? SIGNS['mark']),
    ...(number === undefined ? [] : [`${number} ·`]),
    `${time}  ${text}`,
    ...(detail === undefined ? [] : [`  ${detail}`]),
  ].join(' ');
}
