import * as l10n from '@vscode/l10n';
import { SPEEDS } from '../../timeline/common/playback/player.ts';
import { element, icon, iconButton } from './element.ts';
import type { KeyAction } from './keys.ts';
import { bytesText, positionText } from './timeText.ts';

export interface ControlsState {
  readonly isPlaying: boolean;
  readonly isLive: boolean;
  readonly isFollowing: boolean;
  readonly speed: number;
  readonly isIdleSkipped: boolean;
  readonly isZoomed: boolean;
  readonly isTextScaled: boolean;
  readonly positionMs: number;
  readonly endMs: number;
  readonly byteOffset: number;
  readonly totalBytes: number;
  /** Keys of available actions, each with a short label. */
  readonly hints: readonly (readonly [keys: string, text: string])[];
}

export interface ControlsHandlers {
  readonly onAction: (action: KeyAction) => void;
  readonly onSpeed: (speed: number) => void;
}

/** The row of buttons below the scrubber. */
export class ControlsView {
  readonly root: HTMLElement;
  readonly #play: HTMLButtonElement;
  readonly #speed: HTMLSelectElement;
  readonly #idle: HTMLButtonElement;
  readonly #follow: HTMLButtonElement;
  readonly #zoomAll: HTMLButtonElement;
  readonly #fitText: HTMLButtonElement;
  readonly #time = element('span', { class: 'time' });
  readonly #bytes = element('span', { class: 'bytes' });
  readonly #hints = element('div', { class: 'hints', attributes: { 'aria-hidden': 'true' } });
  #shownHints = '';

  constructor({ onAction, onSpeed }: ControlsHandlers) {
    const button = (name: string, label: string, action: KeyAction, extra = '') =>
      iconButton({ icon: name, label, class: extra, onClick: () => onAction(action) });
    this.#play = button('play', l10n.t('Play (Space)'), 'toggle', 'play');
    this.#speed = element('select', {
      attributes: { 'aria-label': l10n.t('Speed') },
      title: l10n.t('Speed (< and >)'),
    });
    for (const speed of SPEEDS) {
      this.#speed.append(
        element('option', { text: `${speed}×`, attributes: { value: String(speed) } }),
      );
    }
    this.#speed.addEventListener('change', () => onSpeed(Number(this.#speed.value)));
    this.#idle = toggle(l10n.t('Skip idle'), l10n.t('Skip idle time (d)'), () => {
      onAction('toggleIdle');
    });
    this.#follow = toggle(l10n.t('Follow'), l10n.t('Follow the running session (f)'), () =>
      onAction('follow'),
    );
    this.#zoomAll = button('screen-normal', l10n.t('Zoom to fit (0)'), 'zoomReset');
    this.#fitText = button('text-size', l10n.t('Fit text (r)'), 'textReset');
    this.root = element(
      'div',
      { class: 'controls', attributes: { role: 'toolbar', 'aria-label': l10n.t('Player') } },
      button('chevron-left', l10n.t('Previous output (J)'), 'stepBack'),
      this.#play,
      button('chevron-right', l10n.t('Next output (K)'), 'stepForward'),
      this.#speed,
      this.#idle,
      this.#follow,
      this.#time,
      this.#bytes,
      element('span', { class: 'spacer' }),
      this.#hints,
      element(
        'span',
        { class: 'text-sizes' },
        letter('smaller', l10n.t('Smaller text (t)'), () => onAction('textSmaller')),
        letter('larger', l10n.t('Larger text (T)'), () => onAction('textLarger')),
        this.#fitText,
      ),
      button('zoom-out', l10n.t('Zoom out (-)'), 'zoomOut', 'zoom-step'),
      button('zoom-in', l10n.t('Zoom in (+)'), 'zoomIn', 'zoom-step'),
      this.#zoomAll,
      button('keyboard', l10n.t('Keys (?)'), 'help'),
    );
  }

  show(state: ControlsState): void {
    const isMoving = state.isPlaying || state.isFollowing;
    const label = isMoving ? l10n.t('Pause (Space)') : l10n.t('Play (Space)');
    if (this.#play.title !== label) {
      this.#play.title = label;
      this.#play.setAttribute('aria-label', label);
      this.#play.replaceChildren(icon(isMoving ? 'debug-pause' : 'play'));
    }
    this.#speed.value = String(state.speed);
    this.#idle.setAttribute('aria-pressed', String(state.isIdleSkipped));
    this.#follow.hidden = !state.isLive;
    this.#follow.setAttribute('aria-pressed', String(state.isFollowing));
    this.#zoomAll.disabled = !state.isZoomed;
    this.#fitText.disabled = !state.isTextScaled;
    this.#time.textContent = `${positionText(state.positionMs, true)} / ${positionText(state.endMs)}`;
    this.#bytes.textContent = l10n.t(
      '@{0} of {1}',
      state.byteOffset.toLocaleString('en'),
      bytesText(state.totalBytes),
    );
    this.#showHints(state.hints);
  }

  #showHints(hints: ControlsState['hints']): void {
    const text = JSON.stringify(hints);
    if (text === this.#shownHints) return;
    this.#shownHints = text;
    this.#hints.replaceChildren(
      ...hints.map(([keys, text]) =>
        element('span', {}, element('kbd', { text: keys }), document.createTextNode(` ${text}`)),
      ),
    );
  }
}

/** A button with a small or a large letter, because there are no icons for text sizes. */
function letter(size: 'smaller' | 'larger', label: string, onClick: () => void): HTMLButtonElement {
  const button = element(
    'button',
    {
      class: `icon-button ${size}`,
      title: label,
      attributes: { type: 'button', 'aria-label': label },
    },
    element('span', { text: 'A', attributes: { 'aria-hidden': 'true' } }),
  );
  button.addEventListener('click', onClick);
  return button;
}

function toggle(text: string, title: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', {
    class: 'chip',
    text,
    title,
    attributes: { type: 'button', 'aria-pressed': 'false' },
  });
  button.addEventListener('click', onClick);
  return button;
}
