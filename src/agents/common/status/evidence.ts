import * as l10n from '@vscode/l10n';
import type { StatusView } from './status.ts';

/** Explains a status in one sentence, in the user's language. It may contain secrets. */
export function statusEvidence({ reason, subject }: StatusView): string {
  switch (reason) {
    case 'ended':
      return l10n.t('The program has ended.');
    case 'asked':
      return subject === ''
        ? l10n.t('Waiting for approval.')
        : l10n.t('Waiting for approval: {0}', subject);
    case 'title-asks':
      return l10n.t('The terminal title says that an action is required.');
    case 'reports-asking':
      return l10n.t('The agent reports that it waits for approval.');
    case 'reports-working':
      return l10n.t('The agent reports that it is working.');
    case 'turn':
      return l10n.t('Working on a prompt.');
    case 'title-works':
      return l10n.t('The terminal title says that the agent is working.');
    case 'turn-over':
      return l10n.t('The agent’s turn has ended.');
    case 'left':
      return l10n.t('No activity for two minutes.');
    case 'left-at-prompt':
      return l10n.t('No prompt for more than two minutes.');
    case 'silent':
      return l10n.t('Running; no status reported.');
    case 'nothing':
      return l10n.t('No status known yet.');
  }
}
