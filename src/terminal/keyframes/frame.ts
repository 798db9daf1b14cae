import type { TerminalModel } from '../screen/terminalModel.ts';

/** A copy of what the terminal shows at a moment. */
export interface Frame {
  readonly cols: number;
  readonly rows: number;
  readonly title: string;
  readonly isAlternateScreen: boolean;
  /** Counted from 0; `column` is one past the last while the cursor waits to wrap. */
  readonly cursor: { readonly row: number; readonly column: number; readonly isVisible: boolean };
  readonly lines: readonly FrameLine[];
}

export interface FrameLine {
  readonly text: string;
  /** With colors, attributes and links, all of them reset at the end. */
  readonly styled: string;
  readonly isWrapped: boolean;
  readonly lastWriteByte: number;
}

export function takeFrame(model: TerminalModel): Frame {
  return {
    ...model.size,
    title: model.title,
    isAlternateScreen: model.isAlternateScreen,
    cursor: model.cursor,
    lines: model.rows().map(({ text, styled, isWrapped, lastWriteByte }) => {
      return { text, styled, isWrapped, lastWriteByte };
    }),
  };
}

/** The rows of a frame for printing, without empty rows at the end. */
export function frameText(frame: Frame, options: { readonly isColored: boolean }): string[] {
  const rows = frame.lines.map((line) => (options.isColored ? line.styled : line.text));
  while (rows.at(-1)?.trimEnd() === '') rows.pop();
  return rows;
}
