/** `ended`: at the end of a finished recording. `following`: shows new output of a session. */
export type PlayerState = 'paused' | 'playing' | 'ended' | 'following';

export type PlayerEvent =
  | 'play'
  | 'pause'
  | 'seek'
  | 'follow'
  /** Playing reached the last record of a finished session. */
  | 'reachEnd'
  /** Playing reached the last record of a running session. */
  | 'reachLiveEnd'
  /** A running session has ended. */
  | 'finish';

/** What the player does on a transition. */
export type PlayerAction = 'startClock' | 'stopClock' | 'restart' | 'goToEnd';

export interface Transition {
  readonly to: PlayerState;
  readonly action?: PlayerAction;
}

const PAUSE: Transition = { to: 'paused', action: 'stopClock' };
const END: Transition = { to: 'ended', action: 'stopClock' };
const FOLLOW: Transition = { to: 'following', action: 'goToEnd' };
const STAY_PAUSED: Transition = { to: 'paused' };

/**
 * After a seek, a player that was playing plays on from there; one that was following pauses there.
 */
const TABLE: Readonly<Record<PlayerState, Readonly<Partial<Record<PlayerEvent, Transition>>>>> = {
  paused: { play: { to: 'playing', action: 'startClock' }, seek: STAY_PAUSED, follow: FOLLOW },
  playing: {
    pause: PAUSE,
    seek: { to: 'playing' },
    follow: FOLLOW,
    reachEnd: END,
    reachLiveEnd: FOLLOW,
  },
  ended: { play: { to: 'playing', action: 'restart' }, seek: STAY_PAUSED, follow: FOLLOW },
  following: {
    pause: PAUSE,
    seek: STAY_PAUSED,
    reachEnd: END,
    finish: { to: 'ended', action: 'goToEnd' },
  },
};

/** The transition for an event; undefined when the event has no effect in this state. */
export function transition(state: PlayerState, event: PlayerEvent): Transition | undefined {
  return TABLE[state][event];
}
