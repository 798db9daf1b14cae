import type { MomentKind } from '../../replay/moment.ts';

interface KindLook {
  /** One of the editor's icons. */
  readonly icon: string;
  readonly name: string;
}

/** How each kind of moment is told from the others: by its shape, its name, and (in the style sheet) its colour. */
export const KIND_LOOK: Readonly<Record<MomentKind, KindLook>> = {
  prompt: { icon: 'chevron-right', name: 'Prompt' },
  message: { icon: 'comment', name: 'Message' },
  tool: { icon: 'tools', name: 'Tool' },
  approval: { icon: 'workspace-unknown', name: 'Approval' },
  error: { icon: 'error', name: 'Error' },
  snapshot: { icon: 'debug-breakpoint-log', name: 'Snapshot' },
  branch: { icon: 'git-branch', name: 'Branch' },
  mark: { icon: 'bookmark', name: 'Mark' },
  resize: { icon: 'screen-full', name: 'Resize' },
};
