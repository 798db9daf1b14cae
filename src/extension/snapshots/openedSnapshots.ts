import type { Catalogue } from '../../sessions/node/catalogue.ts';
import { SessionFiles } from '../../sessions/node/sessionFiles.ts';
import type { SnapshotTree } from '../../snapshots/common/provider.ts';
import type { SnapshotPlace } from './snapshotUri.ts';

type WhichSnapshot = Pick<SnapshotPlace, 'sessionId' | 'snapshotId'>;

/** Snapshots that are looked at stay open: an editor asks for hundreds of files at once. */
export class OpenedSnapshots {
  readonly #catalogue: Catalogue;
  readonly #sessions = new Map<string, Promise<SessionFiles>>();
  readonly #trees = new Map<string, Promise<SnapshotTree>>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /**
   * The snapshots of a session as they are now.
   * @param movedTo where its workspace is, if it is no longer where it was
   */
  async files(sessionId: string, movedTo?: string): Promise<SessionFiles> {
    const files = await this.#session(sessionId, movedTo);
    await files.refresh();
    return files;
  }

  /** The folder that a session's snapshots are of. */
  async workspace(sessionId: string): Promise<string> {
    return (await this.#session(sessionId)).workspace;
  }

  /** @throws UserError when its files are not there (any more) */
  tree({ sessionId, snapshotId }: WhichSnapshot): Promise<SnapshotTree> {
    return kept(this.#trees, `${sessionId}/${snapshotId}`, async () =>
      (await this.files(sessionId)).tree(snapshotId),
    );
  }

  dispose(): void {
    for (const opening of this.#sessions.values())
      void opening.then((files) => files.dispose()).catch(() => {});
    this.#sessions.clear();
    this.#trees.clear();
  }

  #session(sessionId: string, movedTo?: string): Promise<SessionFiles> {
    const key = movedTo === undefined ? sessionId : `${sessionId}/${movedTo}`;
    return kept(this.#sessions, key, async () =>
      SessionFiles.open(await this.#catalogue.find(sessionId), movedTo),
    );
  }
}

/** What failed is tried again next time: a snapshot under way is complete by then. */
function kept<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = map.get(key);
  if (found) return found;
  const making = make();
  map.set(key, making);
  making.catch(() => map.delete(key));
  return making;
}
