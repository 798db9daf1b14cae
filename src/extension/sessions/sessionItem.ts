import * as vscode from 'vscode';
import type { StatusView } from '../../agents/common/status.ts';
import { statusIcon, statusText } from '../agents/statusStyle.ts';
import { COMMANDS } from '../contributions.ts';
import { isRunning, sessionName, type Session } from './session.ts';
import type { SessionGroup } from './sessionGroups.ts';
import { clockText, dateOf, dayText, durationText } from './timeText.ts';

/**
 * How a session looks in the list. What is said when the pointer is on it comes later, see `sessionTooltip`.
 * @param status what its agent is doing, where that is known
 */
export function sessionItem(session: Session, status?: StatusView): vscode.TreeItem {
  const { meta } = session;
  const item = new vscode.TreeItem(sessionName(session));
  item.id = meta.id;
  const started = clockText(dateOf(meta.startedAtNs), vscode.env.language);
  const doing = status && statusText(status);
  const state = doing ?? stateText(session);
  const isUncaptured = isRunning(session) && session.notes.isCaptureOff === true;
  const running = isUncaptured ? vscode.l10n.t('{0} · capture paused', state) : state;
  item.description = isRunning(session) ? running : `${started} · ${state}`;
  item.iconPath = (status && statusIcon(status)) ?? stateIcon(session);
  const capture = isUncaptured ? '.uncaptured' : '.captured';
  item.contextValue = `session.${meta.state}${capture}${meta.branchOf ? '.branch' : ''}`;
  const label = `${sessionName(session)}, ${isRunning(session) ? running : state}`;
  item.accessibilityInformation = { label };
  item.command = {
    command: isRunning(session) ? COMMANDS.attachSession : COMMANDS.openTimeline,
    title: vscode.l10n.t('Open'),
    arguments: [session],
  };
  return item;
}

export function groupItem(group: SessionGroup): vscode.TreeItem {
  const item = new vscode.TreeItem(groupText(group), vscode.TreeItemCollapsibleState.Expanded);
  item.id = group.key;
  item.contextValue = 'group';
  return item;
}

function groupText({ daysAgo, sessions }: SessionGroup): string {
  if (daysAgo === undefined) return vscode.l10n.t('Running');
  if (daysAgo === 0) return vscode.l10n.t('Today');
  if (daysAgo === 1) return vscode.l10n.t('Yesterday');
  return dayText(dateOf(sessions[0]!.meta.startedAtNs), vscode.env.language);
}

/** `3 min` so far or in all, `12 min, exit 1`, `interrupted`: what became of it, in a few words. */
export function stateText({ meta }: Session): string {
  const startedMs = dateOf(meta.startedAtNs).getTime();
  if (meta.state === 'running') {
    return durationText(Date.now() - startedMs);
  }
  if (meta.state === 'interrupted') return vscode.l10n.t('interrupted');
  const endedMs = meta.endedAtNs === undefined ? startedMs : dateOf(meta.endedAtNs).getTime();
  const length = durationText(endedMs - startedMs);
  if (meta.signal) return vscode.l10n.t('{0}, signal {1}', length, meta.signal);
  if (meta.exitCode) return vscode.l10n.t('{0}, exit {1}', length, meta.exitCode);
  return length;
}

function stateIcon({ meta }: Session): vscode.ThemeIcon {
  if (meta.state === 'running') return icon('record', 'terminal.ansiRed');
  if (meta.state === 'interrupted') return icon('warning', 'list.warningForeground');
  if (meta.exitCode || meta.signal) return icon('error', 'list.errorForeground');
  return new vscode.ThemeIcon('pass');
}

function icon(name: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}
