import * as l10n from '@vscode/l10n';
import type { PageMoment } from '../../../timeline/common/moments/moment.ts';
import type { BranchLane } from '../../../timeline/common/protocol/timelineProtocol.ts';
import { element, icon } from '../element.ts';
import type { TimelineModel } from '../timelineModel.ts';
import { spanText } from '../../../base/spanText.ts';

const LANE_HEIGHT = 18;
const MIN_WIDTH = 80;
/** More lanes would leave no room for the terminal; the sessions view lists all branches. */
const MAX_LANES = 4;

/** The branches of the session, each drawn from the moment where it starts. */
export class LanesView {
  readonly root = element('div', { class: 'lanes' });
  readonly #model: TimelineModel;
  readonly #onOpen: (sessionId: string) => void;
  branches: readonly BranchLane[] = [];

  constructor(model: TimelineModel, onOpen: (sessionId: string) => void) {
    this.#model = model;
    this.#onOpen = onOpen;
  }

  show(width: number, xOf: (timeMs: number) => number): void {
    const discarded = this.#model.moments.filter(({ isDiscarded }) => isDiscarded);
    const shown = [...this.branches, ...discarded].slice(0, MAX_LANES);
    this.root.style.height = `${shown.length * LANE_HEIGHT}px`;
    this.root.replaceChildren(
      ...shown.map((each, lane) => {
        const drawn =
          'kind' in each ? this.#discarded(each, width, xOf) : this.#lane(each, lane, width, xOf);
        drawn.style.top = `${lane * LANE_HEIGHT}px`;
        return drawn;
      }),
    );
  }

  /** Says that a branch was discarded; there is nothing to open. */
  #discarded(
    { title, timeMs }: PageMoment,
    width: number,
    xOf: (timeMs: number) => number,
  ): HTMLElement {
    const text = `${title} · ${l10n.t('discarded')}`;
    const lane = element(
      'div',
      { class: 'lane is-discarded', title: text },
      icon('git-branch'),
      element('span', { text }),
    );
    lane.style.left = `${Math.max(0, Math.min(xOf(timeMs), width - MIN_WIDTH))}px`;
    return lane;
  }

  #lane(
    branch: BranchLane,
    lane: number,
    width: number,
    xOf: (timeMs: number) => number,
  ): HTMLElement {
    const { name, sessionId, timeMs, durationMs, isRunning } = branch;
    const from = Math.max(0, Math.min(xOf(timeMs), width - MIN_WIDTH));
    const to = Math.max(from + MIN_WIDTH, Math.min(width, xOf(timeMs + durationMs)));
    const state = isRunning ? l10n.t('running, {0}', spanText(durationMs)) : spanText(durationMs);
    const button = element(
      'button',
      {
        class: `lane lane-${lane % 4} ${isRunning ? 'is-running' : ''}`,
        title: l10n.t('Open the timeline of {0}', name),
        attributes: { type: 'button', 'aria-label': l10n.t('Branch {0}, {1}', name, state) },
      },
      icon('git-branch'),
      element('span', { text: `${name} · ${state}` }),
    );
    button.style.left = `${from}px`;
    button.style.width = `${to - from}px`;
    button.hidden = timeMs > this.#model.extent.endMs;
    button.addEventListener('click', () => this.#onOpen(sessionId));
    return button;
  }
}
