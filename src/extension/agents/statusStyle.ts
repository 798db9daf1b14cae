import * as vscode from 'vscode';
import type { StatusView } from '../../agents/common/status.ts';
import { durationText } from '../sessions/timeText.ts';
import { redactSecrets, secretsIn } from '../../redaction/redact.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** What an agent is doing, in two words; nothing where that is not known. */
export function statusWords({ status }: StatusView): string | undefined {
  switch (status) {
    case 'waiting_approval':
      return vscode.l10n.t('needs approval');
    case 'running':
      return vscode.l10n.t('working');
    case 'waiting':
      return vscode.l10n.t('waits for you');
    case 'idle':
      return vscode.l10n.t('idle');
    case 'exited':
    case 'unknown':
      return undefined;
  }
}

/** The same, with how long it has been so. */
export function statusText(view: StatusView, nowMs = Date.now()): string | undefined {
  const words = statusWords(view);
  if (words === undefined || view.sinceNs === undefined) return words;
  const sinceMs = Number(view.sinceNs / NANOSECONDS_PER_MILLISECOND);
  return vscode.l10n.t('{0} · {1}', words, durationText(nowMs - sinceMs));
}

/** As it is written in front of the name of a terminal. */
export function statusSymbol(view: StatusView): string | undefined {
  const shown = statusIcon(view);
  return shown && `$(${shown.id})`;
}

export function statusIcon({ status }: StatusView): vscode.ThemeIcon | undefined {
  switch (status) {
    case 'waiting_approval':
      return icon('bell-dot', 'list.warningForeground');
    case 'running':
      // Thin as it is, it needs all the contrast there is.
      return new vscode.ThemeIcon('loading~spin');
    case 'waiting':
      return icon('comment-unresolved', 'notificationsInfoIcon.foreground');
    case 'idle':
      return new vscode.ThemeIcon('circle-outline');
    case 'exited':
    case 'unknown':
      return undefined;
  }
}

/** Why it is thought to be so, in a sentence that is safe to be shown. */
export function evidenceText({ reason, subject }: StatusView): string {
  switch (reason) {
    case 'ended':
      return vscode.l10n.t('The program has ended.');
    case 'asked':
      return subject === ''
        ? vscode.l10n.t('It asks for permission.')
        : vscode.l10n.t(
            'It asks for permission: {0}',
            redactSecrets(subject, secretsIn(process.env)),
          );
    case 'title-asks':
      return vscode.l10n.t('Its title says that an action is required.');
    case 'tells-asking':
      return vscode.l10n.t('It says that it waits for permission.');
    case 'tells-working':
      return vscode.l10n.t('It says that it works.');
    case 'turn':
      return vscode.l10n.t('It works on a prompt.');
    case 'title-works':
      return vscode.l10n.t('Its title says that it works.');
    case 'turn-over':
      return vscode.l10n.t('Its turn is over.');
    case 'left':
      return vscode.l10n.t('Nothing has happened for two minutes.');
    case 'left-at-prompt':
      return vscode.l10n.t('It has waited for a prompt for more than two minutes.');
    case 'silent':
      return vscode.l10n.t('It runs, and says nothing of what it does.');
    case 'nothing':
      return vscode.l10n.t('Nothing is known of it yet.');
  }
}

function icon(name: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}
