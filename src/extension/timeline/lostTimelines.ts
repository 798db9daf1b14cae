import * as vscode from 'vscode';
import { EDITORS, PANELS } from '../contributions.ts';

/** A page whose extension host was killed asks for a new one. */
export interface LostTimeline {
  readonly recording: string;
  readonly byteOffset: number | undefined;
}

/** Checks the argument of the command, which a page wrote. */
export function asLostTimeline(argument: unknown): LostTimeline | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { recording, byteOffset } = argument as Record<string, unknown>;
  if (typeof recording !== 'string' || !recording.endsWith('.ahr')) return undefined;
  const isByte = Number.isSafeInteger(byteOffset) && (byteOffset as number) >= 0;
  return { recording, byteOffset: isByte ? (byteOffset as number) : undefined };
}

/** A visible tab with the page of an extension host that is gone. */
export interface DeadTab {
  readonly tab: vscode.Tab;
  readonly group: vscode.TabGroup;
}

/**
 * Finds the tab of a page that lost its extension host: a visible timeline that none of this
 * host's panels shows. None if this host was only slow to answer.
 * @param live the panels of this host
 */
export function findDeadTab(
  { recording, title }: { readonly recording: string; readonly title: string },
  live: Iterable<vscode.WebviewPanel>,
): DeadTab | undefined {
  const panels = [...live];
  const isLive = ({ viewColumn }: vscode.TabGroup) =>
    panels.some((panel) => panel.visible && panel.viewColumn === viewColumn);
  const dead = vscode.window.tabGroups.all.flatMap((group) =>
    group.activeTab && isTimeline(group.activeTab, recording) && !isLive(group)
      ? [{ tab: group.activeTab, group }]
      : [],
  );
  return dead.find(({ tab }) => tab.label === title) ?? dead[0];
}

function isTimeline({ input }: vscode.Tab, recording: string): boolean {
  if (input instanceof vscode.TabInputCustom) {
    return input.viewType === EDITORS.recording && input.uri.fsPath === recording;
  }
  // The editor puts a prefix before the type.
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANELS.timeline);
}
