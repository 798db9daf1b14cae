import * as vscode from 'vscode';
import { redactSecrets, secretsIn } from '../../../redaction/redact.ts';
import type { StatusView } from '../../../agents/common/status/status.ts';
import type { SessionSummary } from '../../../agents/common/turns/summary.ts';
import { byteText } from '../../../base/byteText.ts';
import type { SnapshotCost } from '../../../snapshots/node/prune/snapshotCosts.ts';
import { evidenceText, statusText } from '../../agents/statusStyle.ts';
import { sessionName, type Session } from '../session.ts';
import { stateText } from './sessionItem.ts';
import { dateOf } from '../timeText.ts';

/** The activity of an agent, with secrets removed. */
export interface AgentActivity {
  readonly status: StatusView;
  readonly summary: SessionSummary;
  /** Summary by the user's language model, if that is turned on. */
  readonly sentence: string | undefined;
  readonly turnCount: number;
}

/** The tooltip of a session: the agent's activity, then facts about the session. */
export function sessionTooltip(
  session: Session,
  activity: AgentActivity | undefined,
  cost: SnapshotCost | undefined,
  withoutSnapshots?: string,
): vscode.MarkdownString {
  const { meta, folder } = session;
  const text = new vscode.MarkdownString();
  const line = (label: string, value: string) => {
    if (value !== '') text.appendMarkdown(`${label} `).appendText(value).appendMarkdown('  \n');
  };
  text.appendMarkdown('**').appendText(sessionName(session)).appendMarkdown('**  \n');
  if (activity) {
    const { status, summary, sentence, turnCount } = activity;
    if (sentence !== undefined) text.appendText(sentence).appendMarkdown('\n\n');
    const words = statusText(status);
    if (words !== undefined) line(`${words}:`, evidenceText(status));
    // For an open approval, the evidence line above already describes the activity.
    if (status.reason !== 'asked') line(vscode.l10n.t('Current activity:'), summary.current);
    line(vscode.l10n.t('Recent activity:'), summary.recent);
    line(vscode.l10n.t('Last prompt:'), summary.lastPrompt);
    line(vscode.l10n.t('Turns:'), String(turnCount));
    text.appendMarkdown('\n---\n');
  }
  line(vscode.l10n.t('Command:'), redactSecrets(meta.cmd.join(' '), secretsIn(process.env)));
  line(vscode.l10n.t('Folder:'), meta.cwd);
  line(vscode.l10n.t('Started:'), dateOf(meta.startedAtNs).toLocaleString(vscode.env.language));
  line(vscode.l10n.t('State:'), stateText(session));
  line(vscode.l10n.t('Stored in:'), folder);
  if (cost && cost.count > 0) {
    const size = byteText(cost.bytes);
    const text =
      cost.count === 1
        ? vscode.l10n.t('1 snapshot, {0}', size)
        : vscode.l10n.t('{0} snapshots, {1}', cost.count, size);
    line(vscode.l10n.t('Files:'), text);
  }
  if (withoutSnapshots !== undefined) line(vscode.l10n.t('Files:'), withoutSnapshots);
  if (meta.state === 'interrupted') {
    text.appendMarkdown(
      vscode.l10n.t('The recorder was killed; the recording is complete up to then.'),
    );
  }
  return text;
}
