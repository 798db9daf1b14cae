import * as l10n from '@vscode/l10n';
import type { MomentAction } from '../../../timeline/common/protocol/timelineProtocol.ts';
import { element, icon, iconButton } from '../element.ts';
import { momentFacts } from './momentFacts.ts';
import { KIND_STYLE } from './kindStyle.ts';
import { openApproval, targetOf, type ListRow } from './listRows.ts';
import { momentDetail, momentLabel } from './momentStyle.ts';
import { momentFor } from './usableActions.ts';
import type { PageMoment } from '../../../timeline/common/moments/moment.ts';

export interface MomentsHandlers {
  readonly onMoment: (id: string) => void;
  readonly onAction: (action: MomentAction, moment: PageMoment) => void;
}

const ACTION_STYLE: Readonly<Record<MomentAction, { icon: string; label: string }>> = {
  reveal: { icon: 'terminal', label: l10n.t('Reveal the approval in its terminal') },
  branch: { icon: 'git-branch-create', label: l10n.t('Branch here') },
  snapshot: { icon: 'folder-opened', label: l10n.t('Open this snapshot') },
  diff: { icon: 'diff', label: l10n.t('Compare with the previous snapshot') },
  restore: { icon: 'discard', label: l10n.t('Restore this snapshot') },
  pin: { icon: 'pin', label: l10n.t('Pin or unpin this snapshot') },
  link: { icon: 'link', label: l10n.t('Copy link to this moment') },
};

/**
 * Creates a row of the list. Tab skips it: the list has thousands of rows and makes one a tab stop.
 */
export function momentRow(
  row: ListRow,
  actions: readonly MomentAction[],
  handlers: MomentsHandlers,
): HTMLLIElement {
  const { moment, parts } = row;
  const kind = openApproval(row) ? 'approval' : moment.kind;
  const detail = detailOf(row);
  const isSaid = detail !== '' && (parts.length > 0 || moment.isDiscarded === true);
  const label = [momentLabel(moment), ...(isSaid ? [detail] : [])].join(', ');
  const go = element(
    'button',
    {
      class: 'moment-go',
      title: tooltipOf(row),
      attributes: { type: 'button', tabindex: '-1', 'aria-label': label },
    },
    element(
      'span',
      { class: 'moment-name' },
      icon(KIND_STYLE[kind].icon),
      element('span', { class: 'moment-title', text: moment.title }),
    ),
    ...(detail === '' ? [] : [element('span', { class: 'moment-detail dim', text: detail })]),
  );
  go.addEventListener('click', () => handlers.onMoment(targetOf(row).id));
  const buttons = actions.flatMap((action) => {
    const target = momentFor(action, row);
    if (!target) return [];
    const onClick = () => handlers.onAction(action, target);
    return [iconButton({ ...styleOf(action, moment), onClick })];
  });
  const { number, time } = momentFacts(row);
  const error = moment.isError ? 'is-error' : '';
  const discarded = moment.isDiscarded ? 'is-discarded' : '';
  return element(
    'li',
    { class: `moment kind-${kind} ${error} ${discarded}`, attributes: { 'data-id': moment.id } },
    go,
    element('span', { class: 'moment-actions' }, ...buttons),
    ...(number === undefined
      ? []
      : [element('span', { class: 'moment-number dim', text: number })]),
    element('span', { class: 'moment-time dim', text: time }),
  );
}

/** The user's decision, what the tool call did, and the message before it. */
function detailOf({ moment, parts }: ListRow): string {
  const detail = momentDetail(moment) ?? '';
  const approval = parts.findLast(({ kind }) => kind === 'approval');
  const decision = approval?.isOpen ? l10n.t('approval requested') : (approval?.detail ?? '');
  // The detail of a denied tool call already starts with the decision.
  const shown = detail.startsWith(decision) ? '' : decision;
  const message = parts.find(({ kind }) => kind === 'message')?.title ?? '';
  return [shown, detail, message].filter(Boolean).join(' · ');
}

/** The full texts, which may not fit in the row. */
function tooltipOf({ moment, parts }: ListRow): string {
  const message = parts.find(({ kind }) => kind === 'message')?.title;
  const approval = parts.findLast(({ kind }) => kind === 'approval');
  const snapshot = parts.findLast(({ kind }) => kind === 'snapshot');
  const texts = [
    message,
    moment.title,
    moment.exact ?? approval?.exact,
    approval?.isOpen ? l10n.t('approval requested') : approval?.detail,
    momentDetail(moment),
    snapshot?.detail,
  ];
  return [...new Set(texts.filter(Boolean))].join('\n\n');
}

function styleOf(action: MomentAction, { kind }: PageMoment): { icon: string; label: string } {
  const style = ACTION_STYLE[action];
  if (action !== 'diff' || kind !== 'prompt') return style;
  return { ...style, label: l10n.t('Show changes of this turn') };
}
