import { oneLine } from '../bounded.ts';
import { redactSecrets } from '../../../redaction/redact.ts';
import { statusEvidence } from '../status/evidence.ts';
import type { StatusView } from '../status/status.ts';
import type { Turn, TurnTool } from './turns.ts';

/** How many turns a summary covers. */
const MAX_TURNS = 5;
const MAX_ACTS = 4;

/** A session in three redacted lines: the present, the recent past, the last prompt. */
export interface SessionSummary {
  readonly current: string;
  readonly recent: string;
  readonly lastPrompt: string;
}

/** @param secrets known secrets to redact; see `secretsIn` */
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

function currentText(turn: Turn | undefined, view: StatusView): string {
  const { status } = view;
  if (status === 'waiting_approval') return statusEvidence(view);
  if (status === 'running') {
    const tool = turn?.tools.findLast(({ outcome }) => outcome === undefined);
    if (tool) return `Running ${tool.title}`;
    return turn?.answer ? `Working: ${firstSentence(turn.answer)}` : 'Working on the prompt';
  }
  if (status === 'exited') return 'Ended';
  if (status === 'unknown') return '';
  return turn?.answer ? firstSentence(turn.answer) : 'Waiting for a prompt';
}

/** Changed files and finished commands, newest first. */
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
  if (outcome === 'denied') return `denied: ${title}`;
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
