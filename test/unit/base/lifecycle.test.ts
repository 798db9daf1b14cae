import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';
import { DisposableStore, MutableDisposable, toDisposable } from '../../../src/base/lifecycle.ts';
import { Sequencer } from '../../../src/base/sequencer.ts';
import { Signal } from '../../../src/base/signal.ts';

describe('lifetime and events', () => {
  it('a store disposes its items once, in reverse order, and late additions at once', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => order.push('a')));
    store.add(toDisposable(() => order.push('b')));
    store.dispose();
    store.dispose();
    store.add(toDisposable(() => order.push('late')));
    assert.deepEqual(order, ['b', 'a', 'late']);
  });

  it('a replaced value is disposed, and so is one set after disposal', () => {
    const order: string[] = [];
    const holder = new MutableDisposable();
    holder.value = toDisposable(() => order.push('first'));
    holder.value = toDisposable(() => order.push('second'));
    holder.dispose();
    holder.value = toDisposable(() => order.push('late'));
    assert.deepEqual(order, ['first', 'second', 'late']);
  });

  it('listeners are called in order, may subscribe twice, and may unsubscribe during an event', () => {
    const heard: string[] = [];
    const emitter = new Emitter<string>();
    const listen = (text: string) => heard.push(text);
    emitter.event(listen);
    const second = emitter.event(listen);
    emitter.event(() => second.dispose());
    emitter.fire('x');
    emitter.fire('y');
    assert.deepEqual(heard, ['x', 'x', 'y']);
    emitter.dispose();
    emitter.fire('z');
    assert.equal(heard.length, 3);
  });

  it('a sequencer runs one task after another, also after a failure', async () => {
    const order: number[] = [];
    const sequencer = new Sequencer();
    const slow = sequencer.queue(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(1);
    });
    const failing = sequencer.queue(() => Promise.reject(new Error('no')));
    const last = sequencer.queue(() => Promise.resolve(order.push(2)));
    await slow;
    await assert.rejects(failing, /no/);
    await last;
    assert.deepEqual(order, [1, 2]);
  });

  it('a signal wakes current waiters, but not later ones', async () => {
    const signal = new Signal();
    let woken = 0;
    void signal.wait().then(() => woken++);
    void signal.wait().then(() => woken++);
    signal.notify();
    void signal.wait().then(() => woken++);
    await Promise.resolve();
    assert.equal(woken, 2);
  });
});
