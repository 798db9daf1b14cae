import * as vscode from 'vscode';
import type { SeekTarget } from '../../timeline/common/playback/playback.ts';
import { parseSeekTarget } from '../../timeline/common/protocol/playbackCodec.ts';
import { EDITORS, PANELS } from '../contributions.ts';

/** The state that a page sends when its extension host was killed and it needs a new one. */
export interface LostTimeline {
  readonly recording: string;
  /** The page's position; undefined at the live end. */
  readonly at: SeekTarget | undefined;
  /** The instruction that the user was typing; may be empty. */
  readonly instruction: string;
}

/** Checks the argument of the command: a page wrote it. */
export function asLostTimeline(argument: unknown): LostTimeline | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { recording, at, instruction } = argument as Record<string, unknown>;
  if (typeof recording !== 'string' || !recording.endsWith('.ahr')) return undefined;
  const isLive = typeof at !== 'object' || at === null;
  return {
    recording,
    at: isLive ? undefined : parseSeekTarget(at),
    instruction: typeof instruction === 'string' ? instruction : '',
  };
}

/** A tab with a page whose extension host is gone. */
export interface DeadTab {
  readonly tab: vscode.Tab;
  readonly group: vscode.TabGroup;
}

/**
 * Finds the tab of a page that lost its extension host: a visible timeline that none of this host's
 * panels shows. Returns undefined if this host was only slow to answer.
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

/**
 * Finds a tab with this title, visible or not, that none of this host's panels shows: VS Code kept
 * the tab when the extension host was killed, or has not restored it yet. Returns undefined if
 * several tabs qualify, because a tab does not tell which recording it shows.
 * @param live the panels of this host
 */
export function findOrphan(
  title: string,
  live: Iterable<vscode.WebviewPanel>,
): DeadTab | undefined {
  const panels = [...live].filter((panel) => panel.title === title);
  const orphans = vscode.window.tabGroups.all.flatMap((group) => {
    const isHere = ({ input, label }: vscode.Tab) => isPanel(input) && label === title;
    const own = panels.filter(({ viewColumn }) => viewColumn === group.viewColumn);
    const isShown = own.some(({ visible }) => visible);
    const hidden = group.tabs.filter((tab) => isHere(tab) && !tab.isActive);
    const isActiveDead = group.activeTab && isHere(group.activeTab) && !isShown;
    const isHiddenDead = hidden.length > own.filter(({ visible }) => !visible).length;
    return [
      ...(isActiveDead ? [{ tab: group.activeTab, group }] : []),
      ...(isHiddenDead ? hidden.map((tab) => ({ tab, group })) : []),
    ];
  });
  return orphans.length === 1 ? orphans[0] : undefined;
}

/**
 * The titles of this window's tabs with timelines, whether or not a panel of this host shows them.
 */
export function panelTitles(): ReadonlySet<string> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return new Set(tabs.filter(({ input }) => isPanel(input)).map(({ label }) => label));
}

function isTimeline({ input }: vscode.Tab, recording: string): boolean {
  if (input instanceof vscode.TabInputCustom) {
    return input.viewType === EDITORS.recording && input.uri.fsPath === recording;
  }
  return isPanel(input);
}

function isPanel(input: unknown): boolean {
  // VS Code puts a prefix before the type.
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANELS.timeline);
}
