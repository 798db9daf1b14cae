import * as l10n from '@vscode/l10n';
import type { ToolFinished } from '../../../agents/common/events/events.ts';
import { durationMs, type Turn } from '../../../agents/common/turns/turns.ts';
import type { SessionPaths } from './sessionPaths.ts';
import { plainTitle } from '../../common/moments/recordedMoments.ts';

/** The tool's name and title, without repeating a name that the title starts with. */
export function namedTitle(tool: string, title: string): string {
  const rest = title.slice(tool.length);
  const isNamed = title.toLowerCase().startsWith(tool.toLowerCase()) && /^([\s(:]|$)/.test(rest);
  return isNamed ? title : `${tool} ${title}`.trim();
}

/**
 * The result of a turn, in one line.
 * @param fileCount the number of changed files; undefined if it is not known
 */
export function turnText(turn: Turn, fileCount: number | undefined): string {
  const took = durationMs(turn);
  const { input, output } = turn.tokens;
  const { approvals } = turn;
  const changed = fileCount ?? 0;
  return line(
    turn.outcome === undefined || turn.outcome === 'done' ? '' : knownWord(turn.outcome),
    took === undefined ? '' : secondsText(took),
    counted(turn.toolCount, l10n.t('1 tool call'), (count) => l10n.t('{0} tool calls', count)),
    counted(approvals.length, l10n.t('1 approval'), (count) => l10n.t('{0} approvals', count)),
    counted(changed, l10n.t('1 file changed'), (count) => l10n.t('{0} files changed', count)),
    counted(input + output, l10n.t('1 token'), (count) => l10n.t('{0} tokens', count)),
    plainTitle(turn.answer),
  );
}

export function resultText(result: ToolFinished, paths: SessionPaths): string {
  const { outcome, exitCode, durationMs, files, summary } = result;
  const [file = ''] = files;
  const facts = line(
    outcome === 'ok' ? '' : knownWord(outcome),
    exitCode === undefined || exitCode === 0 ? '' : l10n.t('exit {0}', exitCode),
    durationMs === undefined ? '' : secondsText(durationMs),
    counted(files.length, plainTitle(paths.path(file)), (count) => l10n.t('{0} files', count)),
  );
  return facts === '' ? plainTitle(paths.text(summary)) : facts;
}

/** Translates the words of our own event format; keeps words of an agent as they are. */
export function knownWord(word: string): string {
  switch (word) {
    case 'failed':
      return l10n.t('failed');
    case 'denied':
      return l10n.t('denied');
    case 'allowed':
      return l10n.t('allowed');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'ok':
      return l10n.t('done');
    case 'manual':
      return l10n.t('manually');
    case 'auto':
      return l10n.t('automatically');
    default:
      return plainTitle(word);
  }
}

function secondsText(durationMs: number): string {
  return l10n.t('{0} s', (durationMs / 1000).toFixed(1));
}

function counted(count: number, one: string, many: (count: number) => string): string {
  return count === 0 ? '' : count === 1 ? one : many(count);
}

function line(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(' · ');
}
