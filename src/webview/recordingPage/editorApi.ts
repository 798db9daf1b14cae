import type { FromPage } from '../../timeline/common/recordingPage.ts';

/** What the page remembers while it is hidden, and after a reload of the window. */
export interface PageMemory {
  readonly showsAll: boolean;
  /** Distance from the top of the lines in rows; undefined at their end, which is then followed. */
  readonly topRow: number | undefined;
}

interface EditorApi {
  postMessage(message: FromPage): void;
  getState(): PageMemory | undefined;
  setState(memory: PageMemory): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The editor's side of the page; it can be had once. */
export const editor = acquireVsCodeApi();
