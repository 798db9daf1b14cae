import * as l10n from '@vscode/l10n';
import { NANOSECONDS_PER_MILLISECOND } from '../../../base/clock.ts';
import { spanText } from '../../../base/spanText.ts';
import type { HistoryLine } from './lineText.ts';

/** The end of a prompt; what follows is the command. */
const PROMPT_END = /[$#%>❯»] +/u;
/** Words that may stand before the name of a program. */
const PREFIX = /^(?:sudo|doas|env|command|exec|time|nohup|-.*|[A-Za-z_]\w*=.*)$/;
/** Several programs: a pipe, a list, or a substitution. */
const SEVERAL = /[|;`]|(?<!>)&(?!$|>)|[$<]\(/;
const MAX_NAME_LENGTH = 40;

/** Where the line of a full-screen program begins. */
export type FullScreenStart = Pick<HistoryLine, 'order' | 'firstByte' | 'tsNs'>;

/** A full-screen program in a shell. One line with its name and duration replaces its text. */
export class FullScreen {
  readonly #name: string;
  readonly #start: FullScreenStart;

  constructor(name: string, start: FullScreenStart) {
    this.#name = name;
    this.#start = start;
  }

  /** The line for the program, if it was on the screen until `lastByte`. */
  lineUntil(lastByte: number, lastNs: bigint): HistoryLine {
    const milliseconds = Number((lastNs - this.#start.tsNs) / NANOSECONDS_PER_MILLISECOND);
    const text = l10n.t('{0}: full screen, {1}', this.#name, spanText(milliseconds));
    return { ...this.#start, text, lastByte, lastNs };
  }
}

/**
 * The command in a line that starts with a prompt; undefined if no known form of prompt is found.
 */
export function commandAfterPrompt(line: string): string | undefined {
  const prompt = PROMPT_END.exec(line);
  return prompt ? line.slice(prompt.index + prompt[0].length) || undefined : undefined;
}

/**
 * The name of the program that a command starts; the whole command if it starts several: each may
 * be the full-screen one.
 */
export function programOf(command: string): string | undefined {
  if (SEVERAL.test(command.trim())) return shortened(command.trim());
  const program = command.split(/[\s<>()&]+/).find((word) => word !== '' && !PREFIX.test(word));
  return program?.replace(/^.*\//, '').slice(0, MAX_NAME_LENGTH) || undefined;
}

function shortened(text: string): string {
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH - 1)}…` : text;
}
