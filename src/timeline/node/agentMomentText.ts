import type { ToolFinished } from '../../agents/common/events.ts';
import { durationMs, type Turn } from '../../agents/common/turns.ts';
import { t } from '../../base/words.ts';
import { plainTitle } from '../common/recordedMoments.ts';

/** What a tool does; some agents begin that with the tool's name, and once is enough. */
export function namedTitle(tool: string, title: string): string {
  const rest = title.slice(tool.length);
  const isNamed = title.toLowerCase().startsWith(tool.toLowerCase()) && /^([\s(:]|$)/.test(rest);
  return isNamed ? title : `${tool} ${title}`.trim();
}

/** What became of a prompt, in a line. */
export function turnText(turn: Turn | undefined): string | undefined {
  if (!turn) return undefined;
  const took = durationMs(turn);
  const { input, output } = turn.tokens;
  const { approvals, files } = turn;
  return line(
    turn.outcome === undefined || turn.outcome === 'done' ? '' : knownWord(turn.outcome),
    took === undefined ? '' : secondsText(took),
    counted(turn.toolCount, t('1 tool'), (count) => t('{0} tools', count)),
    counted(approvals.length, t('1 approval'), (count) => t('{0} approvals', count)),
    counted(files.length, t('1 file changed'), (count) => t('{0} files changed', count)),
    counted(input + output, t('1 token'), (count) => t('{0} tokens', count)),
    plainTitle(turn.answer),
  );
}

export function resultText({
  outcome,
  exitCode,
  durationMs,
  files,
  summary,
}: ToolFinished): string {
  const facts = line(
    outcome === 'ok' ? '' : knownWord(outcome),
    exitCode === undefined || exitCode === 0 ? '' : t('exit {0}', exitCode),
    durationMs === undefined ? '' : secondsText(durationMs),
    counted(files.length, plainTitle(files[0] ?? ''), (count) => t('{0} files', count)),
  );
  return facts === '' ? plainTitle(summary) : facts;
}

/** A word that agents' events are written with. Any other is an agent's own. */
export function knownWord(word: string): string {
  switch (word) {
    case 'failed':
      return t('failed');
    case 'denied':
      return t('denied');
    case 'allowed':
      return t('allowed');
    case 'interrupted':
      return t('interrupted');
    case 'ok':
      return t('done');
    case 'manual':
      return t('by hand');
    case 'auto':
      return t('by itself');
    default:
      return plainTitle(word);
  }
}

function secondsText(durationMs: number): string {
  return t('{0} s', (durationMs / 1000).toFixed(1));
}

function counted(count: number, one: string, many: (count: number) => string): string {
  return count === 0 ? '' : count === 1 ? one : many(count);
}

function line(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(' · ');
}
