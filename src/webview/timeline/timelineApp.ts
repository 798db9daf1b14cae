import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/errors.ts';
import { Player } from '../../timeline/common/playback/player.ts';
import type {
  Hello,
  MomentAction,
  Extent,
} from '../../timeline/common/protocol/timelineProtocol.ts';
import type { VsCodeApi } from '../vscodeApi.ts';
import { Announcer } from './announcer.ts';
import { provideMenuContext } from './contextMenu.ts';
import { ControlsView } from './controlsView.ts';
import { element } from './element.ts';
import { HeaderView } from './headerView.ts';
import { PIXELS_PER_BUCKET } from './scrubber/heatView.ts';
import { HelpView } from './helpView.ts';
import { HostLink } from './host/hostLink.ts';
import { HostWatch } from './host/hostWatch.ts';
import { HoverCard } from './scrubber/hoverCard.ts';
import { InstructionBox } from './instruction/instructionBox.ts';
import { LostNotice } from './host/lostNotice.ts';
import { momentAt } from './moments/momentSteps.ts';
import { actionsOfSession } from './moments/usableActions.ts';
import { MomentsView } from './moments/momentsView.ts';
import { NoticeView } from './noticeView.ts';
import { pageClock } from './host/pageClock.ts';
import type { PageMoment } from '../../timeline/common/moments/moment.ts';
import { parseSavedState, type SavedState } from './host/savedState.ts';
import { ScreenView } from './screen/screenView.ts';
import { FITTING_SCALE } from './screen/textScale.ts';
import { ScrubberView } from './scrubber/scrubberView.ts';
import { SearchSession } from './search/searchSession.ts';
import { SearchView } from './search/searchView.ts';
import { Throttle } from './throttle.ts';
import { TimelineModel } from './timelineModel.ts';
import { TimelineNavigation } from './timelineNavigation.ts';
import { clockText } from './timeText.ts';

const SAVE_MS = 300;
const ACTIVITY_MS = 400;
const SEARCH_AGAIN_MS = 2000;

/** The timeline's page: connects the views with the player and the extension. */
export class TimelineApp {
  readonly #api: VsCodeApi;
  readonly #model = new TimelineModel();
  readonly #saved: SavedState;
  readonly #host: HostLink;
  readonly #helloReply: Promise<Hello>;
  readonly #screen = new ScreenView();
  readonly #player: Player;
  readonly #card = new HoverCard();
  readonly #announcer = new Announcer();
  readonly #help = new HelpView();
  readonly #notice = new NoticeView();
  readonly #instruction = new InstructionBox(() => this.#save.call());
  readonly #lost = new LostNotice(() => ({
    recording: this.#saved.recording,
    at: this.#position(),
    instruction: this.#instruction.text,
  }));
  /** Runs the actions of keys and buttons. */
  readonly navigation: TimelineNavigation;
  readonly #search: SearchSession;
  readonly #searchView: SearchView;
  readonly #header: HeaderView;
  readonly #moments: MomentsView;
  readonly #scrubber: ScrubberView;
  readonly #controls: ControlsView;
  readonly #save = new Throttle(SAVE_MS, () => this.#saveState());
  readonly #askActivity = new Throttle(ACTIVITY_MS, () => this.#showActivity());
  readonly #searchAgain = new Throttle(SEARCH_AGAIN_MS, () => void this.#search.refresh());
  readonly #draw = new Throttle(0, () => this.#show());
  readonly #drawPosition = new Throttle(0, () => this.#showPosition());
  #shownMoments: readonly PageMoment[] | undefined;
  #hello: Hello | undefined;
  #isPlaced = false;

  constructor(api: VsCodeApi, recording: string) {
    this.#api = api;
    this.#saved = parseSavedState(api.getState(), recording);
    this.#host = new HostLink(api, {
      onExtent: (extent) => this.#setExtent(extent),
      onMoments: (moments) => this.#model.setMoments(moments),
      onHits: (hits) => this.#search.receive(hits),
      onTrouble: (message, needsReload) => this.#setTrouble(message, needsReload),
      onReplaced: () => void this.#player.seek({ end: true }),
      onSession: (session) => {
        this.#model.setSession(session);
        this.#setExtent(this.#model.extent);
      },
      onActions: (actions) => this.#setActions(actions),
      onBranches: (branches) => {
        this.#scrubber.lanes.branches = branches;
        this.#draw.call();
      },
      onReveal: (target) => this.navigation.goTo(target),
      onMenu: (request) => void this.navigation.runMenu(request),
    });
    // The request is sent before the views are created, since the reply takes a while.
    this.#helloReply = this.#host.hello();
    if (this.#saved.at === undefined || this.#saved.at === 'live') this.#host.prefetchEnd();
    this.#player = new Player({
      source: this.#host,
      screen: this.#screen,
      clock: pageClock,
      onError: (error) => this.#notice.show(messageOf(error)),
    });
    this.#search = new SearchSession({
      search: (params) => this.#host.search(params),
      show: (result) => this.#searchView.showResult(result),
      mark: (hits, pattern) => {
        this.#model.setHits(hits);
        this.#screen.matches = pattern;
      },
      go: (hit) => void this.navigation.showHit(hit),
    });
    this.#searchView = new SearchView({
      onSearch: (input) => {
        this.#screen.clearHighlight();
        void this.#search.start(input);
        this.#save.call();
      },
      onStep: (direction) => this.navigation.stepHit(direction),
      onLeave: () => this.#screen.root.focus(),
    });
    this.navigation = new TimelineNavigation({
      model: this.#model,
      player: this.#player,
      screen: this.#screen,
      host: this.#host,
      instruction: this.#instruction,
      search: this.#search,
      notice: this.#notice,
      announcer: this.#announcer,
      onMoved: () => {
        this.#save.call();
        this.#drawPosition.call();
      },
      onSearch: () => this.#searchView.focus(),
      onHelp: () => this.#help.toggle(),
    });
    this.#header = new HeaderView(this.#searchView.root, {
      onBranch: () => this.navigation.do('branch'),
      onOrigin: ({ sessionId, byteOffset }) =>
        void this.#host.openSession(sessionId, byteOffset).catch(this.navigation.showError),
    });
    this.#moments = new MomentsView(this.#model, {
      onMoment: (id) => this.navigation.goToMoment(id),
      onAction: (action, moment) => void this.navigation.run(action, moment),
    });
    this.#scrubber = new ScrubberView(this.#model, this.#card, {
      onSeek: (timeMs) => this.navigation.goTo({ timeMs }),
      onMoment: (id) => this.navigation.goToMoment(id),
      onBranch: (sessionId) =>
        void this.#host.openSession(sessionId, null).catch(this.navigation.showError),
      frameAt: (timeMs) => this.#host.frame({ timeMs }),
    });
    this.#controls = new ControlsView({
      onAction: (action) => this.navigation.do(action),
      onSpeed: (speed) => this.navigation.setSpeed(speed),
    });
    this.#restoreSettings();
    this.#model.onDidChange(() => {
      this.#player.setTimeAxis(this.#model.playbackAxis);
      this.#draw.call();
      this.#askActivity.call();
      this.#save.call();
    });
    this.#player.onDidChange(() => {
      this.#screen.isBusy = this.#player.isSeeking;
      this.#drawPosition.call();
    });
  }

  async start(): Promise<void> {
    document.body.append(
      this.#header.root,
      this.#lost.root,
      this.#notice.root,
      element('main', { class: 'stage' }, this.#screen.root, this.#moments.root),
      this.#instruction.root,
      element('footer', { class: 'foot' }, this.#scrubber.root, this.#controls.root),
      this.#card.root,
      this.#help.root,
      this.#announcer.root,
    );
    new ResizeObserver(() => {
      this.#draw.call();
      this.#askActivity.call();
    }).observe(this.#scrubber.root);
    new HostWatch({
      timers: pageClock,
      ask: () => this.#host.ping(),
      onLost: () => this.#lost.show(),
      onBack: () => this.#lost.hide(),
    });
    provideMenuContext({
      model: this.#model,
      snapshotHere: () => this.navigation.snapshotHere,
      scrubberTime: (event) => this.#scrubber.timeAt(event),
      pause: () => {
        if (this.#player.state === 'playing') this.#player.pause();
      },
    });
    addEventListener('pagehide', () => this.#saveState());
    try {
      this.#hello = await this.#helloReply;
    } catch (error) {
      this.#setTrouble(messageOf(error));
      return;
    }
    if (this.#hello.instruction !== null) this.#instruction.text = this.#hello.instruction;
    this.#model.setSession(this.#hello.session);
    this.#scrubber.lanes.branches = this.#hello.branches;
    this.#setActions(this.#hello.actions);
    this.#screen.open(this.#hello.font, this.#hello.minimumContrast);
    this.#focusScreen();
    if (this.#saved.searchText !== '') this.#searchView.text = this.#saved.searchText;
    // The extent may have arrived before the state of the session.
    this.#setExtent(this.#model.extent);
  }

  /**
   * Gives the focus to the screen when the editor has given it to the page: a timeline that opens
   * beside a terminal must not take what the user types there.
   */
  #focusScreen(): void {
    const focus = () => {
      if (document.activeElement === document.body) this.#screen.root.focus();
    };
    if (document.hasFocus()) focus();
    addEventListener('focus', focus);
  }

  #restoreSettings(): void {
    this.#model.isIdleSkipped = this.#saved.isIdleSkipped;
    this.#model.filter = this.#saved.filter;
    this.#player.setSpeed(this.#saved.speed);
    this.#instruction.text = this.#saved.instruction;
    this.#screen.textScale = this.#saved.textScale;
  }

  #setExtent(extent: Extent): void {
    const hasGrown = extent.totalBytes > this.#model.extent.totalBytes;
    this.#model.setExtent(extent);
    this.#screen.unicodeVersion = extent.unicodeVersion;
    const { endMs, totalBytes } = extent;
    this.#player.setExtent({ endMs, totalBytes, isLive: this.#model.isLive });
    this.#notice.setProblem(this.#model.isLive ? null : extent.problem);
    if (hasGrown && this.#search.isActive) this.#searchAgain.call();
    this.#goToStart();
  }

  #setTrouble(message: string | null, needsReload = false): void {
    this.#notice.setTrouble(message, needsReload);
    this.#model.setTrouble(message !== null);
    this.#moments.showEmpty();
  }

  /** Goes to the initial position, only once: that of a link, the saved one, or the end. */
  #goToStart(): void {
    if (this.#isPlaced || !this.#hello || this.#model.extent.startNs === '0') return;
    this.#isPlaced = true;
    const { at, zoom } = this.#saved;
    if (zoom) this.#model.setZoom(zoom);
    const { reveal } = this.#hello;
    if (reveal) this.navigation.goTo(reveal);
    else if (at === 'live' || at === undefined) this.#player.follow();
    else void this.#player.seek(at);
    if (this.#saved.searchText !== '') this.#searchView.search();
  }

  #setActions(actions: readonly MomentAction[]): void {
    this.navigation.actions = actions;
    this.#draw.call();
  }

  get #actions(): readonly MomentAction[] {
    const { session, hasNoFiles } = this.#model;
    return session.sessionId === null ? [] : actionsOfSession(this.navigation.actions, hasNoFiles);
  }

  #showActivity(): void {
    const buckets = Math.floor(this.#scrubber.width / PIXELS_PER_BUCKET);
    if (buckets < 1 || !this.#isPlaced) return;
    this.#host.activity(this.#scrubber.edges(buckets)).then(
      (counts) => this.#scrubber.heat.show(counts),
      () => undefined, // The next update requests it again.
    );
  }

  #show(): void {
    const { visibleMoments } = this.#model;
    const actions = this.#actions;
    this.#header.canBranch = actions.includes('branch');
    this.#header.show(this.#model);
    this.#scrubber.show();
    if (
      this.#shownMoments !== visibleMoments ||
      String(this.#moments.actions) !== String(actions)
    ) {
      this.#shownMoments = visibleMoments;
      this.#moments.actions = actions;
      this.#moments.show();
    }
    this.#showPosition();
  }

  /** Draws only what changes with each frame while playing. */
  #showPosition(): void {
    const { place, positionMs, state, speed } = this.#player;
    const { extent, isIdleSkipped, isZoomed, isLive, visibleMoments } = this.#model;
    this.#scrubber.showPosition(positionMs);
    const current = this.navigation.momentId ?? momentAt(visibleMoments, place.byteOffset)?.id;
    this.#moments.showCurrent(this.#model.rowOf(current)?.moment.id);
    const { cols, rows } = this.#screen.size;
    this.#screen.caption = `${cols} × ${rows} · ${clockText(extent.startNs, positionMs)}`;
    this.#controls.show({
      isPlaying: state === 'playing',
      isFollowing: state === 'following',
      isLive,
      speed,
      isIdleSkipped,
      isZoomed,
      isTextScaled: this.#screen.textScale !== FITTING_SCALE,
      positionMs,
      endMs: extent.endMs,
      byteOffset: place.byteOffset,
      totalBytes: extent.totalBytes,
      hints: this.#hints(),
    });
  }

  #hints(): [string, string][] {
    const hints: [string, string][] = [];
    if (this.#model.moments.length > 0) hints.push(['[ ]', l10n.t('moments')]);
    if (this.#model.moments.some(({ kind }) => kind === 'snapshot'))
      hints.push(['{ }', l10n.t('snapshots')]);
    const actions = this.#actions;
    if (actions.includes('branch')) hints.push(['i', l10n.t('branch here')]);
    if (actions.includes('snapshot')) hints.push(['s', l10n.t('open snapshot')]);
    return [...hints, ['/', l10n.t('search')], ['?', l10n.t('keys')]];
  }

  #saveState(): void {
    if (!this.#isPlaced) return;
    const { isIdleSkipped, filter, zoom, isZoomed } = this.#model;
    const saved: SavedState = {
      recording: this.#saved.recording,
      at: this.#position(),
      speed: this.#player.speed,
      isIdleSkipped,
      filter,
      zoom: isZoomed ? zoom : undefined,
      textScale: this.#screen.textScale,
      searchText: this.#searchView.text,
      instruction: this.#instruction.text,
    };
    this.#api.setState(saved);
  }

  /** The current position, or the saved one until the page has loaded. */
  #position(): SavedState['at'] {
    const { state, place, positionMs } = this.#player;
    if (!this.#isPlaced) return this.#saved.at;
    if (state === 'following') return 'live';
    const isAtOutput = positionMs === place.timeMs;
    return isAtOutput ? { byteOffset: place.byteOffset } : { timeMs: positionMs };
  }
}
