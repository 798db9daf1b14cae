import * as vscode from 'vscode';
import { nanosecondsAt } from '../../timeline/common/recordIndex.ts';
import type { TranscriptLine } from '../../timeline/common/transcript/transcript.ts';
import { dateOf } from '../sessions/timeText.ts';
import type { SessionTranscript } from './sessionTranscript.ts';

/**
 * First character of a moment's line, by which readers, searches and highlighting recognize its
 * kind.
 */
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

/** The document's text: one line per transcript line. */
export function transcriptText(transcript: SessionTranscript): string {
  const { lines, trouble, isCurrent, startNs } = transcript;
  if (lines.length === 0) {
    if (trouble !== undefined) return trouble;
    return isCurrent ? vscode.l10n.t('No output yet.') : vscode.l10n.t('Reading the recording…');
  }
  const clock = new Intl.DateTimeFormat(vscode.env.language, {
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
  });
  return lines.map((line) => lineText(line, startNs, clock)).join('\n');
}

function lineText(line: TranscriptLine, startNs: bigint, clock: Intl.DateTimeFormat): string {
  const { kind, text, timeMs, detail, turn, snapshotId, isError, count } = line;
  if (kind === 'screen') return `    ${text}`;
  if (kind === 'text') return text === '' ? '' : `  ${text}`;
  if (kind === 'omitted') {
    const number = (count ?? 0).toLocaleString(vscode.env.language);
    return `    … ${vscode.l10n.t('{0} lines omitted; open the timeline to see them', number)} …`;
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
