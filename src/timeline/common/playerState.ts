/** What a player does: nothing, playing, standing at the end of what there is, or showing a running session as it goes. */
export type PlayerState = 'paused' | 'playing' | 'ended' | 'following';

export type PlayerEvent =
  | 'play'
  | 'pause'
  | 'seek'
  | 'follow'
  /** The last record was shown, of a session that has ended … */
  | 'reachEnd'
  /** … or that still runs. */
  | 'reachLiveEnd'
  /** A session that was running has ended. */
  | 'finish';

/** What has to be done on the way to another state. */
export type PlayerAction = 'startClock' | 'stopClock' | 'restart' | 'goToEnd';

export interface Transition {
  readonly to: PlayerState;
  readonly action?: PlayerAction;
}

/**
 * |           | play             | pause  | seek    | follow    | reachEnd | reachLiveEnd | finish |
 * | --------- | ---------------- | ------ | ------- | --------- | -------- | ------------ | ------ |
 * | paused    | playing          |        | paused  | following |          |              |        |
 * | playing   |                  | paused | playing | following | ended    | following    |        |
 * | ended     | playing, restart |        | paused  | following |          |              |        |
 * | following |                  | paused | paused  |           | ended    |              | ended  |
 *
 * Playing goes on where a seek leads; somebody who follows and seeks wants to look at something, and stays there.
 */
const TABLE: Readonly<Record<PlayerState, Readonly<Partial<Record<PlayerEvent, Transition>>>>> = {
  paused: {
    play: { to: 'playing', action: 'startClock' },
    seek: { to: 'paused' },
    follow: { to: 'following', action: 'goToEnd' },
  },
  playing: {
    pause: { to: 'paused', action: 'stopClock' },
    seek: { to: 'playing' },
    follow: { to: 'following', action: 'goToEnd' },
    reachEnd: { to: 'ended', action: 'stopClock' },
    reachLiveEnd: { to: 'following', action: 'goToEnd' },
  },
  ended: {
    play: { to: 'playing', action: 'restart' },
    seek: { to: 'paused' },
    follow: { to: 'following', action: 'goToEnd' },
  },
  following: {
    pause: { to: 'paused', action: 'stopClock' },
    seek: { to: 'paused' },
    reachEnd: { to: 'ended', action: 'stopClock' },
    finish: { to: 'ended', action: 'goToEnd' },
  },
};

/** Nothing when the event changes nothing in this state. */
export function transition(state: PlayerState, event: PlayerEvent): Transition | undefined {
  return TABLE[state][event];
}
