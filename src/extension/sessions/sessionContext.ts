import type { Disposable } from '../../base/lifecycle.ts';
import { setContextKey, type ContextKey } from '../contextKeys.ts';
import { CONTEXT_KEYS } from '../contributions.ts';
import { isPaused, isRunning, type Session } from './session.ts';
import type { SessionStore } from './sessionStore.ts';

/** Keeps the context keys that tell menus which kinds of sessions there are. */
export function keepSessionContext(store: SessionStore): Disposable {
  const shown = new Map<ContextKey, boolean>();
  const set = (key: ContextKey, value: boolean): void => {
    if (shown.get(key) === value) return;
    shown.set(key, value);
    void setContextKey(key, value);
  };
  const setIfAny = (key: ContextKey, accepts: (session: Session) => boolean): void =>
    set(key, store.sessions.some(accepts));
  return store.onDidChange(() => {
    setIfAny(CONTEXT_KEYS.hasSessions, () => true);
    setIfAny(CONTEXT_KEYS.hasRunningSessions, isRunning);
    setIfAny(CONTEXT_KEYS.hasPausedSessions, isPaused);
    setIfAny(CONTEXT_KEYS.hasSnapshots, ({ meta }) => meta.workspace !== undefined);
  });
}
