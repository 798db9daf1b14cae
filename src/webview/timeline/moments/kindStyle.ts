import * as l10n from '@vscode/l10n';
import type { MomentKind } from '../../../timeline/common/moments/moment.ts';

interface KindStyle {
  /** Name of a codicon. */
  readonly icon: string;
  readonly name: string;
}

/** Icon and name of each kind of moment; the style sheet has the colors. */
export const KIND_STYLE: Readonly<Record<MomentKind, KindStyle>> = {
  prompt: { icon: 'chevron-right', name: l10n.t('Prompt') },
  message: { icon: 'comment', name: l10n.t('Message') },
  tool: { icon: 'tools', name: l10n.t('Tool call') },
  approval: { icon: 'workspace-unknown', name: l10n.t('Approval') },
  error: { icon: 'error', name: l10n.t('Error') },
  snapshot: { icon: 'debug-breakpoint-log', name: l10n.t('Snapshot') },
  branch: { icon: 'git-branch', name: l10n.t('Branch') },
  mark: { icon: 'bookmark', name: l10n.t('Moment') },
  resize: { icon: 'screen-full', name: l10n.t('Resize') },
};
