import * as l10n from '@vscode/l10n';
import type { MomentAction } from '../../../timeline/common/protocol/timelineProtocol.ts';
import { element, icon, iconButton } from '../element.ts';
import { momentFacts } from './momentFacts.ts';
import { KIND_STYLE } from './kindStyle.ts';
import { momentLabel } from './momentStyle.ts';
import { actionsOfMoment } from './usableActions.ts';
import type { PageMoment } from '../../../timeline/common/moments/moment.ts';

export interface MomentsHandlers {
  readonly onMoment: (id: string) => void;
  readonly onAction: (action: MomentAction, moment: PageMoment) => void;
}

const ACTION_STYLE: Readonly<Record<MomentAction, { icon: string; label: string }>> = {
  reveal: { icon: 'terminal', label: l10n.t('Reveal the approval in its terminal') },
  branch: { icon: 'git-branch-create', label: l10n.t('Branch here') },
  snapshot: { icon: 'folder-opened', label: l10n.t('Open this snapshot') },
  diff: { icon: 'diff', label: l10n.t('Show changes before this snapshot') },
  restore: { icon: 'discard', label: l10n.t('Restore this snapshot') },
  pin: { icon: 'pin', label: l10n.t('Pin or unpin this snapshot') },
  link: { icon: 'link', label: l10n.t('Copy link to this moment') },
};

/** A moment in the list, which makes one of thousands of rows reachable with Tab. */
export function momentRow(
  moment: PageMoment,
  actions: readonly MomentAction[],
  handlers: MomentsHandlers,
): HTMLLIElement {
  const { id, kind, title, detail, exact, isError } = moment;
  // The tooltip has the full text, which may not fit the row.
  const tooltip = [title, exact ?? '', detail ?? ''].filter(Boolean).join('\n\n');
  const go = element(
    'button',
    {
      class: 'moment-go',
      title: tooltip,
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
  const facts = momentFacts(moment);
  const buttons = actionsOfMoment(moment, actions).map((action) =>
    iconButton({ ...styleOf(action, moment), onClick: () => handlers.onAction(action, moment) }),
  );
  return element(
    'li',
    { class: `moment kind-${kind} ${isError ? 'is-error' : ''}`, attributes: { 'data-id': id } },
    go,
    element('span', { class: 'moment-actions' }, ...buttons),
    element('span', { class: 'moment-facts dim', text: facts }),
  );
}

function styleOf(action: MomentAction, { kind }: PageMoment): { icon: string; label: string } {
  const style = ACTION_STYLE[action];
  if (action !== 'diff' || kind !== 'prompt') return style;
  return { ...style, label: l10n.t('Show changes of this turn') };
}
