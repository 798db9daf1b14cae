import * as l10n from '@vscode/l10n';
import type { BranchLane } from '../../../timeline/common/protocol/timelineProtocol.ts';
import { element, icon } from '../element.ts';
import type { TimelineModel } from '../timelineModel.ts';
import { spanText } from '../../../base/spanText.ts';

const LANE_HEIGHT = 18;
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
    const shown = this.branches.slice(0, MAX_LANES);
    this.root.style.height = `${shown.length * LANE_HEIGHT}px`;
    this.root.replaceChildren(...shown.map((branch, lane) => this.#lane(branch, lane, width, xOf)));
  }

  #lane(
    branch: BranchLane,
    lane: number,
    width: number,
    xOf: (timeMs: number) => number,
  ): HTMLElement {
    const { name, sessionId, timeMs, durationMs, isRunning } = branch;
    const from = Math.max(0, Math.min(xOf(timeMs), width - 80));
    const to = Math.max(from + 80, Math.min(width, xOf(timeMs + durationMs)));
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
    button.style.top = `${lane * LANE_HEIGHT}px`;
    button.hidden = timeMs > this.#model.extent.endMs;
    button.addEventListener('click', () => this.#onOpen(sessionId));
    return button;
  }
}
