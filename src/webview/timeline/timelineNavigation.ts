import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/errors.ts';
import { SPEEDS, type Player } from '../../timeline/common/playback/player.ts';
import type { SeekTarget } from '../../timeline/common/playback/playback.ts';
import type { SearchHit } from '../../timeline/common/search/searchHits.ts';
import type {
  MomentAction,
  MenuRequest,
  MomentPosition,
} from '../../timeline/common/protocol/timelineProtocol.ts';
import type { Announcer } from './announcer.ts';
import type { HostLink } from './host/hostLink.ts';
import type { InstructionBox } from './instruction/instructionBox.ts';
import type { KeyAction } from './keys.ts';
import { targetOf } from './moments/listRows.ts';
import { adjacentMoment } from './moments/momentSteps.ts';
import type { NoticeView } from './noticeView.ts';
import type { PageMoment } from '../../timeline/common/moments/moment.ts';
import type { ScreenView } from './screen/screenView.ts';
import { FITTING_SCALE, nextTextScale } from './screen/textScale.ts';
import type { SearchSession } from './search/searchSession.ts';
import type { TimelineModel } from './timelineModel.ts';
import { clockText, positionText } from './timeText.ts';

const ZOOM_STEP = 1.6;
/** Lengths of steps, as shares of the visible part of the axis. */
const SMALL_STEP = 0.01;
const PAGE_STEP = 0.1;

export interface NavigationParts {
  readonly model: TimelineModel;
  readonly player: Player;
  readonly screen: ScreenView;
  readonly host: HostLink;
  readonly instruction: InstructionBox;
  readonly search: SearchSession;
  readonly notice: NoticeView;
  readonly announcer: Announcer;
  readonly onMoved: () => void;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

/** Moves the player, and runs actions at the current moment. */
export class TimelineNavigation {
  readonly #parts: NavigationParts;
  /** The actions that are available in this window. */
  actions: readonly MomentAction[] = [];
  /** ID of the moment that the user went to last; undefined once the player has left it. */
  momentId: string | undefined;

  readonly #do: Readonly<Record<KeyAction, () => void>> = {
    toggle: () => this.#startPlaying((player) => player.toggle()),
    play: () => this.#startPlaying((player) => player.play()),
    stepBack: () => this.#stepOutput(-1),
    stepForward: () => this.#stepOutput(1),
    previousMoment: () => this.#stepRow(-1),
    nextMoment: () => this.#stepRow(1),
    previousSnapshot: () => this.#stepSnapshot(-1),
    nextSnapshot: () => this.#stepSnapshot(1),
    branch: () => void this.run('branch', undefined),
    openSnapshot: () => this.#openSnapshot(),
    search: () => this.#parts.onSearch(),
    nextHit: () => this.stepHit(1),
    previousHit: () => this.stepHit(-1),
    start: () => this.goTo({ timeMs: 0 }),
    end: () => this.#goToEnd(),
    pageBack: () => this.#moveBy(-PAGE_STEP),
    pageForward: () => this.#moveBy(PAGE_STEP),
    smallBack: () => this.#moveBy(-SMALL_STEP),
    smallForward: () => this.#moveBy(SMALL_STEP),
    slower: () => this.#changeSpeed(-1),
    faster: () => this.#changeSpeed(1),
    follow: () => this.#toggleFollow(),
    toggleIdle: () => this.#parts.model.setIdleSkipped(!this.#parts.model.isIdleSkipped),
    zoomIn: () => this.#parts.model.zoomBy(ZOOM_STEP, this.#parts.player.positionMs),
    zoomOut: () => this.#parts.model.zoomBy(1 / ZOOM_STEP, this.#parts.player.positionMs),
    zoomReset: () => this.#parts.model.zoomToAll(),
    textSmaller: () => this.#changeText(-1),
    textLarger: () => this.#changeText(1),
    textReset: () => this.#scaleText(FITTING_SCALE),
    help: () => this.#parts.onHelp(),
  };

  constructor(parts: NavigationParts) {
    this.#parts = parts;
  }

  do(action: KeyAction): void {
    this.#do[action]();
  }

  goTo(target: SeekTarget): void {
    const { player, screen, model, onMoved } = this.#parts;
    this.momentId = undefined;
    screen.clearHighlight();
    void player.seek(target).then((isShown) => {
      if (isShown) model.reveal(player.positionMs);
      onMoved();
    });
  }

  goToMoment(id: string): void {
    const moment = this.#parts.model.moments.find((each) => each.id === id);
    if (!moment) return;
    this.goTo({ byteOffset: moment.byteOffset });
    this.momentId = id;
    this.#parts.announcer.announce(`${moment.title}, ${positionText(moment.timeMs)}`);
  }

  stepHit(direction: 1 | -1): void {
    this.#parts.search.step(direction, this.#parts.player.place.byteOffset);
  }

  async showHit(hit: SearchHit): Promise<void> {
    const { player, screen, model, announcer, onMoved } = this.#parts;
    this.momentId = hit.momentId;
    if (!(await player.seek(hitTarget(hit)))) return;
    screen.highlight(hit.excerpt.slice(hit.start, hit.start + hit.length));
    model.reveal(player.positionMs);
    announcer.announce(`${hit.excerpt}, ${positionText(hit.timeMs)}`);
    onMoved();
  }

  setSpeed(speed: number): void {
    this.#parts.player.setSpeed(speed);
    this.#parts.announcer.announce(l10n.t('Speed {0}×', speed));
    this.#parts.onMoved();
  }

  /** @param moment undefined to act at the current position */
  async run(action: MomentAction, moment: PageMoment | undefined): Promise<void> {
    const { notice, host, model } = this.#parts;
    const isOnlyPlayed = action === 'branch' ? model.hasNoFiles : model.session.sessionId === null;
    if (isOnlyPlayed) return this.#showNoFiles();
    if (!this.actions.includes(action))
      return notice.show(l10n.t('This action is not available in this window.'));
    // Get the position now: in a running session, it changes while the user writes.
    const { timeMs, byteOffset } = moment ?? this.#place;
    const position = { momentId: moment?.id ?? this.momentId ?? null, timeMs, byteOffset };
    if (action === 'branch') return this.#branch(position);
    await host.runAction({ action, message: null, ...position }).catch(this.showError);
  }

  async #branch(position: MomentPosition): Promise<void> {
    const { host, instruction, model, screen } = this.#parts;
    const message = await instruction.ask({
      title: l10n.t('Branch at {0}', clockText(model.extent.startNs, position.timeMs)),
      files: () => host.files(position),
    });
    // If the user has chosen “Branch here” on another row, the box is open again and has the focus.
    if (!instruction.isOpen) screen.root.focus();
    if (message === undefined) return;
    try {
      if (await host.runAction({ action: 'branch', message, ...position }))
        instruction.forget(message);
    } catch (error) {
      this.showError(error);
    }
  }

  /** The last snapshot up to the current position. */
  get snapshotHere(): PageMoment | undefined {
    const { byteOffset, timeMs } = this.#place;
    return this.#parts.model.moments.findLast(
      (moment) =>
        moment.snapshotId !== undefined &&
        moment.byteOffset <= byteOffset &&
        moment.timeMs <= timeMs,
    );
  }

  /** Runs an entry of the context menu. */
  async runMenu({ action, momentId }: MenuRequest): Promise<void> {
    if (action === 'copyScreen') return this.#copyScreen();
    await this.run(
      action,
      this.#parts.model.moments.find(({ id }) => id === momentId),
    );
  }

  readonly showError = (error: unknown): void => this.#parts.notice.show(messageOf(error));

  /**
   * The position of the current moment, since several moments can share a byte offset; without one,
   * the position of the player.
   */
  get #place(): { readonly timeMs: number; readonly byteOffset: number } {
    const { player, model } = this.#parts;
    const moment = model.moments.find(({ id }) => id === this.momentId);
    return moment ?? { timeMs: player.positionMs, byteOffset: player.place.byteOffset };
  }

  /** Starts or pauses playing; no moment is the current one then. */
  #startPlaying(act: (player: Player) => void): void {
    this.momentId = undefined;
    this.#parts.screen.followCursor();
    act(this.#parts.player);
  }

  #stepOutput(direction: 1 | -1): void {
    const { player } = this.#parts;
    player.pause();
    this.goTo({ stepFrom: player.place.byteOffset, direction });
  }

  #stepRow(direction: 1 | -1): void {
    const { model } = this.#parts;
    const row = model.rowOf(this.momentId);
    const current = row && targetOf(row).id;
    this.#goOrSayNone(this.#adjacent(model.rows.map(targetOf), current, direction), direction);
  }

  #stepSnapshot(direction: 1 | -1): void {
    const snapshots = this.#parts.model.moments.filter(({ kind }) => kind === 'snapshot');
    this.#goOrSayNone(this.#adjacent(snapshots, this.momentId, direction), direction);
  }

  #adjacent(
    moments: readonly PageMoment[],
    current: string | undefined,
    direction: 1 | -1,
  ): PageMoment | undefined {
    const { byteOffset } = this.#parts.player.place;
    return adjacentMoment(moments, { byteOffset, current }, direction);
  }

  #goOrSayNone(moment: PageMoment | undefined, direction: 1 | -1): void {
    if (moment) return this.goToMoment(moment.id);
    const text = direction > 0 ? l10n.t('No later moment') : l10n.t('No earlier moment');
    this.#parts.announcer.announce(text);
  }

  #goToEnd(): void {
    this.momentId = undefined;
    this.#parts.screen.clearHighlight();
    this.#parts.screen.followCursor();
    this.#parts.player.follow();
  }

  #toggleFollow(): void {
    if (this.#parts.player.state === 'following') this.#parts.player.pause();
    else this.#goToEnd();
  }

  #moveBy(share: number): void {
    const { model, player } = this.#parts;
    const { axis, zoom } = model;
    const place = axis.toFolded(player.positionMs) + share * (zoom.to - zoom.from);
    this.goTo({ timeMs: axis.toRecorded(Math.min(axis.foldedEndMs, Math.max(0, place))) });
  }

  #changeSpeed(by: 1 | -1): void {
    const index = SPEEDS.findIndex((speed) => speed === this.#parts.player.speed);
    const next = SPEEDS[index + by];
    if (next !== undefined) this.setSpeed(next);
  }

  #changeText(by: 1 | -1): void {
    this.#scaleText(nextTextScale(this.#parts.screen.textScale, by));
  }

  #scaleText(scale: number): void {
    const { screen, announcer, onMoved } = this.#parts;
    screen.textScale = scale;
    announcer.announce(l10n.t('Text size {0} %', scale * 100));
    onMoved();
  }

  async #copyScreen(): Promise<void> {
    const { host, screen, announcer } = this.#parts;
    try {
      await host.copyText(screen.text);
      announcer.announce(l10n.t('Copied the screen'));
    } catch (error) {
      this.showError(error);
    }
  }

  #showNoFiles(): void {
    this.#parts.notice.show(
      l10n.t('This recording has no snapshots: it can be played, not branched from.'),
    );
  }

  #openSnapshot(): void {
    const snapshot = this.snapshotHere;
    if (snapshot) void this.run('snapshot', snapshot);
    else if (this.#parts.model.hasNoFiles) this.#showNoFiles();
    else this.#parts.notice.show(l10n.t('No snapshot exists before this position.'));
  }
}

function hitTarget({ isPassing, recordIndex, excerpt, byteOffset }: SearchHit): SeekTarget {
  return isPassing ? { recordIndex, text: excerpt } : { byteOffset };
}
