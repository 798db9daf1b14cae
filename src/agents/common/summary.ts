import { oneLine } from './bounded.ts';
import { redactSecrets } from '../../redaction/redact.ts';
import type { StatusView } from './status.ts';
import type { Turn, TurnTool } from './turns.ts';

/** Turns that a summary looks back on. */
const MAX_TURNS = 5;
const MAX_ACTS = 4;

/** A session in three lines: what it does, what it did, what it was asked. Made without a model, safe to be shown. */
export interface SessionSummary {
  readonly current: string;
  readonly recent: string;
  readonly lastPrompt: string;
}

/** @param secrets that are known; see `secretsIn` */
export function summarize(
  turns: readonly Turn[],
  status: StatusView,
  secrets: readonly string[] = [],
): SessionSummary {
  const safe = (text: string): string => oneLine(redactSecrets(text, secrets));
  const last = turns.at(-1);
  return {
    current: safe(currentText(last, status)),
    recent: safe(recentText(turns.slice(-MAX_TURNS))),
    lastPrompt: safe(last?.prompt ?? ''),
  };
}

function currentText(turn: Turn | undefined, { status, evidence }: StatusView): string {
  if (status === 'waiting_approval') return evidence;
  if (status === 'running') {
    const tool = turn?.tools.findLast(({ outcome }) => outcome === undefined);
    if (tool) return `Runs ${tool.title}`;
    return turn?.answer ? `Works: ${firstSentence(turn.answer)}` : 'Works on the prompt';
  }
  if (status === 'exited') return 'Has ended';
  if (status === 'unknown') return '';
  return turn?.answer ? firstSentence(turn.answer) : 'Waits for a prompt';
}

/** The newest first: files changed, then commands, failed ones said to have failed. */
function recentText(turns: readonly Turn[]): string {
  const acts: string[] = [];
  for (const turn of turns.toReversed()) {
    if (turn.files.length > 0) acts.push(`changed ${fileNames(turn.files)}`);
    for (const tool of turn.tools.toReversed()) {
      if (tool.action === 'shell' && tool.outcome !== undefined) acts.push(commandText(tool));
    }
    for (const error of turn.errors) acts.push(`failed: ${error}`);
  }
  return [...new Set(acts)].slice(0, MAX_ACTS).join(', ');
}

function commandText({ title, outcome, exitCode }: TurnTool): string {
  if (outcome === 'denied') return `was refused ${title}`;
  if (outcome === 'ok') return `ran ${title}`;
  return exitCode === undefined ? `${title} failed` : `${title} failed (${exitCode})`;
}

function fileNames(files: readonly string[]): string {
  const names = files.map((file) => file.replace(/^.*[/\\]/, ''));
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function firstSentence(text: string): string {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text;
}
