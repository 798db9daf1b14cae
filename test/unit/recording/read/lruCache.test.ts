import assert from 'node:assert/strict';
import { LruCache } from '../../../../src/recording/read/lruCache.ts';

function cacheOf(capacity: number, ...keys: string[]): LruCache<string, number> {
  const cache = new LruCache<string, number>(capacity);
  for (const [index, key] of keys.entries()) cache.set(key, index);
  return cache;
}

describe('LruCache', () => {
  it('holds as many entries as its capacity', () => {
    const cache = cacheOf(3, 'a', 'b', 'c');
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [0, 1, 2]);
    cache.set('d', 3);
    assert.equal(cache.get('a'), undefined, 'the entry unused for longest is evicted');
    assert.deepEqual([cache.get('b'), cache.get('c'), cache.get('d')], [1, 2, 3]);
  });

  it('counts a read as a use', () => {
    const cache = cacheOf(2, 'a', 'b');
    cache.get('a');
    cache.set('c', 2);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [0, undefined, 2]);
  });

  it('replaces a value without evicting others', () => {
    const cache = cacheOf(2, 'a', 'b');
    cache.set('a', 9);
    assert.deepEqual([cache.get('a'), cache.get('b')], [9, 1]);
  });

  it('counts a replacement as a use', () => {
    const cache = cacheOf(2, 'a', 'b');
    cache.set('a', 9);
    cache.set('c', 2);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [9, undefined, 2]);
  });

  it('does not store a key that was only read', () => {
    const cache = cacheOf(2, 'a', 'b');
    assert.equal(cache.get('x'), undefined);
    assert.deepEqual([cache.get('a'), cache.get('b')], [0, 1]);
  });

  it('deletes one entry, or all', () => {
    const cache = cacheOf(3, 'a', 'b', 'c');
    cache.delete('b');
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [0, undefined, 2]);
    cache.clear();
    assert.deepEqual([cache.get('a'), cache.get('c')], [undefined, undefined]);
  });
});
