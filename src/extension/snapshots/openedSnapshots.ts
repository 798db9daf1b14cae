import type { Catalogue } from '../../sessions/node/catalogue.ts';
import { SessionFiles } from '../../snapshots/node/list/sessionFiles.ts';
import type { SnapshotTree } from '../../snapshots/common/provider.ts';
import type { SnapshotKey } from './snapshotUri.ts';

/**
 * Keeps snapshots open after their first use, because VS Code requests hundreds of files at once.
 */
export class OpenedSnapshots {
  readonly #catalogue: Catalogue;
  readonly #sessions = new Map<string, Promise<SessionFiles>>();
  readonly #trees = new Map<string, Promise<SnapshotTree>>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /**
   * Reads the list of a session's snapshots again.
   * @param movedTo the workspace's new folder, if it moved
   */
  async files(sessionId: string, movedTo?: string): Promise<SessionFiles> {
    const files = await this.#session(sessionId, movedTo);
    await files.refresh();
    return files;
  }

  /** The workspace folder of a session's snapshots. */
  async workspace(sessionId: string): Promise<string> {
    return (await this.#session(sessionId)).workspace;
  }

  /** @throws UserError if the snapshot's files were deleted or never stored */
  tree({ sessionId, snapshotId }: SnapshotKey): Promise<SnapshotTree> {
    return getOrCreate(this.#trees, `${sessionId}/${snapshotId}`, async () =>
      (await this.files(sessionId)).tree(snapshotId),
    );
  }

  dispose(): void {
    for (const opening of this.#sessions.values())
      // If opening failed, there is nothing to dispose.
      void opening.then((files) => files.dispose()).catch(() => {});
    this.#sessions.clear();
    this.#trees.clear();
  }

  #session(sessionId: string, movedTo?: string): Promise<SessionFiles> {
    const key = movedTo === undefined ? sessionId : `${sessionId}/${movedTo}`;
    return getOrCreate(this.#sessions, key, async () =>
      SessionFiles.open(await this.#catalogue.find(sessionId), movedTo),
    );
  }
}

/** Does not keep failures: a snapshot in progress may be complete the next time. */
function getOrCreate<T>(
  map: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const found = map.get(key);
  if (found) return found;
  const making = make();
  map.set(key, making);
  // The caller gets this error from the promise that it awaits.
  making.catch(() => map.delete(key));
  return making;
}
