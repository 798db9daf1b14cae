import * as vscode from 'vscode';
import { redactSecrets, secretsIn } from '../../redaction/redact.ts';
import type { StatusView } from '../../agents/common/status.ts';
import type { SessionSummary } from '../../agents/common/summary.ts';
import { byteText } from '../../base/byteText.ts';
import type { SnapshotCost } from '../../snapshots/node/snapshotCosts.ts';
import { evidenceText, statusText } from '../agents/statusStyle.ts';
import { sessionName, type Session } from './session.ts';
import { stateText } from './sessionItem.ts';
import { dateOf } from './timeText.ts';

/** What is known of an agent, made safe to be shown. */
export interface AgentDoings {
  readonly status: StatusView;
  readonly summary: SessionSummary;
  /** By the user's language model, where there is one. */
  readonly sentence: string | undefined;
  readonly turnCount: number;
}

/** What is said of a session when the pointer is on it: what its agent does first, then what it is. */
export function sessionTooltip(
  session: Session,
  doings: AgentDoings | undefined,
  cost: SnapshotCost | undefined,
): vscode.MarkdownString {
  const { meta, folder } = session;
  const text = new vscode.MarkdownString();
  const line = (label: string, value: string) => {
    if (value !== '') text.appendMarkdown(`${label} `).appendText(value).appendMarkdown('  \n');
  };
  text.appendMarkdown('**').appendText(sessionName(session)).appendMarkdown('**  \n');
  if (doings) {
    const { status, summary, sentence, turnCount } = doings;
    if (sentence !== undefined) text.appendText(sentence).appendMarkdown('\n\n');
    const words = statusText(status);
    if (words !== undefined) line(`${words}:`, evidenceText(status));
    // What is asked has just been said.
    if (status.reason !== 'asked') line(vscode.l10n.t('Now:'), summary.current);
    line(vscode.l10n.t('Recently:'), summary.recent);
    line(vscode.l10n.t('Asked:'), summary.lastPrompt);
    line(vscode.l10n.t('Turns:'), String(turnCount));
    text.appendMarkdown('\n---\n');
  }
  line(vscode.l10n.t('Command:'), redactSecrets(meta.cmd.join(' '), secretsIn(process.env)));
  line(vscode.l10n.t('Folder:'), meta.cwd);
  line(vscode.l10n.t('Started:'), dateOf(meta.startedAtNs).toLocaleString(vscode.env.language));
  line(vscode.l10n.t('State:'), stateText(session));
  line(vscode.l10n.t('Kept in:'), folder);
  if (cost && cost.count > 0) {
    const size = byteText(cost.bytes);
    const text =
      cost.count === 1
        ? vscode.l10n.t('1 snapshot, {0}', size)
        : vscode.l10n.t('{0} snapshots, {1}', cost.count, size);
    line(vscode.l10n.t('Files:'), text);
  }
  if (meta.state === 'interrupted') {
    text.appendMarkdown(
      vscode.l10n.t('Its recorder was killed; what it had written until then is complete.'),
    );
  }
  return text;
}
