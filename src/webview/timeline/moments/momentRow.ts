import type { MomentAction } from '../../../timeline/common/webviewProtocol.ts';
import { element, icon, iconButton } from '../element.ts';
import { KIND_STYLE } from './kindStyle.ts';
import { momentLabel } from './momentStyle.ts';
import type { PageMoment } from '../host/parseEvents.ts';
import { positionText } from '../timeText.ts';
import { t } from '../words.ts';

export interface MomentsHandlers {
  readonly onMoment: (id: string) => void;
  readonly onAction: (action: MomentAction, moment: PageMoment) => void;
}

const ACTION_LOOK: Readonly<Record<MomentAction, { icon: string; label: string }>> = {
  reveal: { icon: 'terminal', label: t('Reveal the question in its terminal') },
  branch: { icon: 'git-branch-create', label: t('Branch here') },
  snapshot: { icon: 'folder-opened', label: t('Open the files as they were') },
  diff: { icon: 'diff', label: t('Compare the files') },
  restore: { icon: 'discard', label: t('Restore the files') },
  pin: { icon: 'pin', label: t('Keep this snapshot') },
  link: { icon: 'link', label: t('Copy a link to this moment') },
};

/** These are about files, which only a snapshot has. */
const NEEDS_FILES: readonly MomentAction[] = ['snapshot', 'diff', 'restore', 'pin'];

/** A moment in the list. Out of the order of the Tab key until the list puts it there: of thousands, one is enough. */
export function momentRow(
  moment: PageMoment,
  actions: readonly MomentAction[],
  handlers: MomentsHandlers,
): HTMLLIElement {
  const { id, kind, title, detail, exact, isError, timeMs, snapshotId } = moment;
  // All of it, for the line may be too short for its name.
  const said = [title, exact ?? '', detail ?? ''].filter(Boolean).join('\n\n');
  const go = element(
    'button',
    {
      ...{ class: 'moment-go', title: said },
      attributes: { type: 'button', tabindex: '-1', 'aria-label': momentLabel(moment) },
    },
    element(
      'span',
      { class: 'moment-name' },
      icon(KIND_STYLE[kind].icon),
      element('span', { class: 'moment-title', text: title }),
    ),
    ...(detail === undefined
      ? []
      : [element('span', { class: 'moment-detail dim', text: detail })]),
  );
  go.addEventListener('click', () => handlers.onMoment(id));
  const facts = snapshotId === undefined ? positionText(timeMs) : `#${snapshotId}`;
  const buttons = actionsOf(moment, actions).map((action) =>
    iconButton({ ...ACTION_LOOK[action], onClick: () => handlers.onAction(action, moment) }),
  );
  return element(
    'li',
    { class: `moment kind-${kind} ${isError ? 'is-error' : ''}`, attributes: { 'data-id': id } },
    go,
    element('span', { class: 'moment-actions' }, ...buttons),
    element('span', { class: 'moment-facts dim', text: facts }),
  );
}

function actionsOf(moment: PageMoment, actions: readonly MomentAction[]): MomentAction[] {
  return actions
    .filter((action) => hasFilesFor(action, moment))
    .filter((action) => action !== 'reveal' || moment.isOpen === true);
}

function hasFilesFor(action: MomentAction, { snapshotId, changesId }: PageMoment): boolean {
  if (!NEEDS_FILES.includes(action) || snapshotId !== undefined) return true;
  return action === 'diff' && changesId !== undefined;
}
