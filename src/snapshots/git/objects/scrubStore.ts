import type { Scrub } from '../../common/provider.ts';
import { listSnapshots } from './gitRetention.ts';
import type { ObjectStore } from './objectStore.ts';
import type { RepositoryState } from '../worktree/repositoryState.ts';
import { commitOf, nameOf, readRecord, writeRecord } from './gitSnapshotRecord.ts';
import { MODE_FOLDER, type TreeItem } from './treeFormat.ts';

/** A submodule's commit, whose content is not in the store. */
const MODE_COMMIT = '160000';

/** References that protect rewritten snapshots until they replace the old ones. */
export const PREPARED = 'refs/scrubbed';

/**
 * Rewrites every snapshot whose files, names or labels contain the text. The caller holds the lock.
 * @returns the new reference of each rewritten snapshot by its old one
 */
export async function rewriteSnapshots(
  store: ObjectStore,
  scrub: Scrub,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const rewriter = new Rewriter(store, scrub, signal);
  const replaced = new Map<string, string>();
  for (const { ref } of await listSnapshots(store)) {
    const commit = await rewriter.commit(ref);
    if (commit === commitOf(ref)) continue;
    store.setRef(`scrubbed/${nameOf(ref)}`, commit);
    replaced.set(ref, `${nameOf(ref)}@${commit}`);
  }
  return replaced;
}

/**
 * Replaces snapshots by rewritten ones, except those that were removed since. The next garbage
 * collection removes the old objects. The caller holds the lock.
 */
export async function moveReferences(
  store: ObjectStore,
  replaced: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { ref } of await listSnapshots(store)) {
    const fresh = replaced.get(ref);
    if (fresh !== undefined) store.setRef(`snapshots/${nameOf(ref)}`, commitOf(fresh));
  }
}

/** Throws if any object, referenced or not, still contains the text. */
export async function checkObjects(
  store: ObjectStore,
  scrub: Scrub,
  signal: AbortSignal,
): Promise<void> {
  const format = '--batch-check=%(objectname) %(objecttype)';
  const { stdout } = await store.git(['cat-file', '--batch-all-objects', '--unordered', format]);
  for (const line of new TextDecoder().decode(stdout).split('\n').filter(Boolean)) {
    signal.throwIfAborted();
    const [oid, type] = line.split(' ') as [string, 'blob' | 'tree' | 'commit'];
    if (scrub(await store.read(oid, type))) throw new Error(`The text is still in object ${oid}.`);
  }
}

class Rewriter {
  readonly #store: ObjectStore;
  readonly #scrub: Scrub;
  readonly #signal: AbortSignal;
  /** The replacement of each object; snapshots share most of their objects. */
  readonly #known = new Map<string, string>();

  constructor(store: ObjectStore, scrub: Scrub, signal: AbortSignal) {
    this.#store = store;
    this.#scrub = scrub;
    this.#signal = signal;
  }

  async commit(ref: string): Promise<string> {
    const record = await readRecord(this.#store, ref);
    const files = await this.#tree(record.files);
    const tree = record.modes?.tree && (await this.#tree(record.modes.tree));
    const modes = record.modes && { modes: { ...record.modes, ...(tree && { tree }) } };
    const repositories: RepositoryState[] = [];
    for (const state of record.repositories) repositories.push(await this.#repository(state));
    const encoded = JSON.stringify({ ...record, files, repositories, ...modes });
    const safe = this.#scrub(new TextEncoder().encode(encoded));
    if (!safe && encoded === JSON.stringify(record)) return commitOf(ref);
    const text = new TextDecoder().decode(await this.#store.read(commitOf(ref), 'commit'));
    const seconds = /^committer .* (\d+) \+0000$/m.exec(text)?.[1] ?? '0';
    const fresh = safe ? (JSON.parse(new TextDecoder().decode(safe)) as typeof record) : undefined;
    const scrubbed = fresh ?? { ...record, files, repositories, ...modes };
    return writeRecord(this.#store, scrubbed, BigInt(seconds) * 1_000_000_000n);
  }

  /** An index refers to its content by hash: if its content changes, the index is dropped. */
  async #repository(state: RepositoryState): Promise<RepositoryState> {
    const { index, gitFiles } = state;
    const parts = [index?.chunks, index?.shared?.chunks, index?.staged].filter(
      (oid) => oid !== undefined,
    );
    let isSame = true;
    for (const oid of parts) isSame &&= (await this.#tree(oid)) === oid;
    const files: { path: string; oid: string }[] = [];
    for (const { path, oid } of gitFiles) files.push({ path, oid: await this.#blob(oid) });
    return { ...state, index: isSame ? index : undefined, gitFiles: files };
  }

  async #tree(oid: string): Promise<string> {
    const known = this.#known.get(oid);
    if (known !== undefined) return known;
    this.#signal.throwIfAborted();
    const items = new Map<string, TreeItem>();
    let hasChanged = false;
    for (const [name, item] of await this.#store.readTree(oid)) {
      const fresh = await this.#item(item);
      const freshName = this.#name(name);
      hasChanged ||= fresh !== item.oid || freshName !== name;
      items.set(freshName, { mode: item.mode, oid: fresh });
    }
    const result = hasChanged ? await this.#store.writeTree(items) : oid;
    this.#known.set(oid, result);
    return result;
  }

  #item({ mode, oid }: TreeItem): Promise<string> {
    if (mode === MODE_FOLDER) return this.#tree(oid);
    return mode === MODE_COMMIT ? Promise.resolve(oid) : this.#blob(oid);
  }

  async #blob(oid: string): Promise<string> {
    const known = this.#known.get(oid);
    if (known !== undefined) return known;
    const safe = this.#scrub(await this.#store.read(oid, 'blob'));
    const result = safe ? await this.#store.write('blob', safe) : oid;
    this.#known.set(oid, result);
    return result;
  }

  #name(name: string): string {
    const safe = this.#scrub(new TextEncoder().encode(name));
    return safe ? new TextDecoder().decode(safe) : name;
  }
}
