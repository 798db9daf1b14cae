import * as vscode from 'vscode';
import { statusEvidence } from '../../agents/common/status/evidence.ts';
import type { StatusView } from '../../agents/common/status/status.ts';
import { durationText } from '../sessions/timeText.ts';
import { redactSecrets, secretsIn } from '../../redaction/redact.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** The status in a few words; undefined if it is unknown or the program has ended. */
export function statusLabel({ status }: StatusView): string | undefined {
  switch (status) {
    case 'waiting_approval':
      return vscode.l10n.t('needs approval');
    case 'running':
      return vscode.l10n.t('working');
    case 'waiting':
      return vscode.l10n.t('waiting for you');
    case 'idle':
      return vscode.l10n.t('idle');
    case 'exited':
    case 'unknown':
      return undefined;
  }
}

/** The status and how long it has lasted. */
export function statusText(view: StatusView, nowMs = Date.now()): string | undefined {
  const words = statusLabel(view);
  if (words === undefined || view.sinceNs === undefined) return words;
  const sinceMs = Number(view.sinceNs / NANOSECONDS_PER_MILLISECOND);
  return vscode.l10n.t('{0} · {1}', words, durationText(nowMs - sinceMs));
}

/** The status icon in the form `$(name)`, which labels render as an icon. */
export function statusSymbol(view: StatusView): string | undefined {
  const shown = statusIcon(view);
  return shown && `$(${shown.id})`;
}

export function statusIcon({ status }: StatusView): vscode.ThemeIcon | undefined {
  switch (status) {
    case 'waiting_approval':
      return icon('bell-dot', 'list.warningForeground');
    case 'running':
      // No color: the thin spinner needs the full contrast.
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

/** Explains a status in one redacted sentence. */
export function evidenceText(view: StatusView): string {
  return redactSecrets(statusEvidence(view), secretsIn(process.env));
}

function icon(name: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}
