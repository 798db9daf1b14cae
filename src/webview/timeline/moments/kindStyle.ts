import type { MomentKind } from '../../../timeline/common/moment.ts';
import { t } from '../words.ts';

interface KindStyle {
  /** One of the editor's icons. */
  readonly icon: string;
  readonly name: string;
}

/** How each kind of moment is told from the others: by its shape, its name, and (in the style sheet) its colour. */
export const KIND_STYLE: Readonly<Record<MomentKind, KindStyle>> = {
  prompt: { icon: 'chevron-right', name: t('Prompt') },
  message: { icon: 'comment', name: t('Message') },
  tool: { icon: 'tools', name: t('Tool') },
  approval: { icon: 'workspace-unknown', name: t('Approval') },
  error: { icon: 'error', name: t('Error') },
  snapshot: { icon: 'debug-breakpoint-log', name: t('Snapshot') },
  branch: { icon: 'git-branch', name: t('Branch') },
  mark: { icon: 'bookmark', name: t('Mark') },
  resize: { icon: 'screen-full', name: t('Resize') },
};
