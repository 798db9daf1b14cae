import assert from 'node:assert/strict';
import type { Session } from '../../../../src/extension/sessions/session.ts';
import { DraftStore } from '../../../../src/extension/transcript/draftStore.ts';

/** The state of a workspace, as VS Code returns it after a reload. */
function newMemento() {
  const values = new Map<string, string>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string): T | undefined => {
      const text = values.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    update: (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}

describe('stored drafts', () => {
  const anchor = { kind: 'prompt', byte: 20, timeMs: 5, nth: 0 };

  it('are returned, replaced and deleted by session', () => {
    const memento = newMemento();
    const store = new DraftStore(memento);
    store.set('a', { anchor, text: 'one' });
    store.set('b', { anchor, text: 'two' });
    store.set('a', { anchor, text: 'three' });
    store.delete('b');
    const next = new DraftStore(memento);
    assert.deepEqual(next.get('a'), { anchor, text: 'three' });
    assert.equal(next.get('b'), undefined);
  });

  it('of sessions that no longer exist are deleted, other state is not', () => {
    const memento = newMemento();
    void memento.update('other', 1);
    const store = new DraftStore(memento);
    store.set('a', { anchor, text: 'one' });
    store.set('b', { anchor, text: 'two' });
    const get = (id: string) => (id === 'a' ? ({} as Session) : undefined);
    store.prune({ get, areSomeUnknown: true });
    assert.equal(store.get('b')?.text, 'two', 'its session may exist, but was not readable');
    store.prune({ get, areSomeUnknown: false });
    assert.deepEqual(memento.keys(), ['other', 'draft.a']);
  });

  it('of an unknown form are left out', () => {
    const memento = newMemento();
    const store = new DraftStore(memento);
    for (const value of [1, 'text', {}, { text: 'x' }, { anchor: { kind: 'text' }, text: 'x' }]) {
      void memento.update('draft.a', value);
      assert.equal(store.get('a'), undefined);
    }
  });
});
