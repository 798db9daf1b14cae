import * as vscode from 'vscode';
import type { StatusView } from '../../../agents/common/status/status.ts';
import { statusIcon, statusText } from '../../agents/statusStyle.ts';
import { COMMANDS } from '../../contributions.ts';
import { isPaused, isRunning, sessionName, type Session } from '../session.ts';
import type { SessionGroup } from './sessionGroups.ts';
import { clockText, dateOf, dayText, durationText, startText } from '../timeText.ts';

/**
 * The tree item of a session. VS Code requests its tooltip later, see `sessionTooltip`.
 * @param status status of the session's agent, if known
 * @param changedFiles how many files the session changed, if known
 */
export function sessionItem(
  session: Session,
  status?: StatusView,
  changedFiles = 0,
): vscode.TreeItem {
  const { meta } = session;
  const name = sessionName(session);
  const isUnread = session.notes.isUnread === true;
  const item = new vscode.TreeItem({
    label: name,
    ...(isUnread && { highlights: [[0, name.length] as [number, number]] }),
  });
  item.id = meta.id;
  const started = clockText(dateOf(meta.startedAtNs), vscode.env.language);
  const isUnfinished = session.isScrubUnfinished === true;
  const doing = isUnfinished ? undefined : status && statusText(status);
  const state = doing ?? stateText(session);
  const isUncaptured = isRunning(session) && session.notes.isCaptureOff === true;
  const captured = isUncaptured ? vscode.l10n.t('{0} · agent not followed', state) : state;
  const running = isPaused(session) ? vscode.l10n.t('{0} · recording paused', state) : captured;
  const files = changedFiles > 0 ? [changedText(changedFiles)] : [];
  const parts = isRunning(session) ? [running, ...files] : [started, state, ...files];
  item.description = parts.join(' · ');
  item.iconPath = isPaused(session)
    ? icon('debug-pause', 'list.warningForeground')
    : ((isUnfinished ? undefined : status && statusIcon(status)) ?? stateIcon(session));
  const capture = isUncaptured ? '.uncaptured' : '.captured';
  const marks = marksText(session);
  item.contextValue = `session.${meta.state}${capture}${marks}${meta.branchOf ? '.branch' : ''}`;
  const words = [name, isRunning(session) ? running : state, ...files];
  const label = [...words, ...(isUnread ? [vscode.l10n.t('unread')] : [])].join(', ');
  item.accessibilityInformation = { label };
  item.command = {
    command: isRunning(session) ? COMMANDS.attachSession : COMMANDS.openTimeline,
    title: vscode.l10n.t('Open'),
    arguments: [session],
  };
  return item;
}

function changedText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', count);
}

/** Marks in the context value, which decide what the menus of a row offer. */
function marksText(session: Session): string {
  const { notes } = session;
  const pin = notes.isPinned === true ? '.pinned' : '.unpinned';
  const archive = notes.isArchived === true ? '.archived' : '.unarchived';
  const recording = isPaused(session) ? '.paused' : '.recorded';
  return `${pin}${archive}${notes.isUnread === true ? '.unread' : '.read'}${recording}`;
}

export function groupItem(group: SessionGroup): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const isAside = group.place === 'archived';
  const item = new vscode.TreeItem(groupText(group), isAside ? Collapsed : Expanded);
  item.id = group.key;
  item.contextValue = 'group';
  return item;
}

function groupText({ place, day }: SessionGroup): string {
  if (place === 'pinned') return vscode.l10n.t('Pinned');
  if (place === 'archived') return vscode.l10n.t('Archived');
  if (!day) return vscode.l10n.t('Running');
  if (day.daysAgo === 0) return vscode.l10n.t('Today');
  if (day.daysAgo === 1) return vscode.l10n.t('Yesterday');
  return dayText(day.date, vscode.env.language);
}

/** Text for when a session started, for lists with sessions from several days. */
export function sessionStart({ meta }: Session): string {
  return startText(dateOf(meta.startedAtNs), new Date(), vscode.env.language);
}

/** The length and the outcome of a session: `3 min`, `12 min, exit 1`, `interrupted`. */
export function stateText({ meta, isScrubUnfinished }: Session): string {
  if (isScrubUnfinished === true) return vscode.l10n.t('scrub unfinished');
  const startedMs = dateOf(meta.startedAtNs).getTime();
  if (meta.state === 'running') {
    return durationText(Date.now() - startedMs);
  }
  if (meta.state === 'interrupted') return vscode.l10n.t('interrupted');
  const endedMs = meta.endedAtNs === undefined ? startedMs : dateOf(meta.endedAtNs).getTime();
  const length = durationText(endedMs - startedMs);
  if (meta.stoppedByUser === true) return vscode.l10n.t('{0}, stopped', length);
  if (meta.signal) return vscode.l10n.t('{0}, signal {1}', length, meta.signal);
  if (meta.exitCode) return vscode.l10n.t('{0}, exit {1}', length, meta.exitCode);
  return length;
}

function stateIcon({ meta, isScrubUnfinished }: Session): vscode.ThemeIcon {
  if (isScrubUnfinished === true) return icon('warning', 'list.warningForeground');
  if (meta.state === 'running') return icon('record', 'terminal.ansiRed');
  if (meta.state === 'interrupted') return icon('warning', 'list.warningForeground');
  if (meta.stoppedByUser === true) return new vscode.ThemeIcon('stop-circle');
  if (meta.exitCode || meta.signal) return icon('error', 'list.errorForeground');
  return new vscode.ThemeIcon('pass');
}

function icon(name: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}
