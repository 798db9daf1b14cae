import { existsSync } from 'node:fs';
import { UserError } from '../../base/errors.ts';
import { isUnproven } from '../../snapshots/common/provenLine.ts';
import type {
  ProviderName,
  SnapshotProvider,
  SnapshotTree,
} from '../../snapshots/common/provider.ts';
import type { SnapshotFiles, SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import type { CataloguedSession } from './catalogue.ts';
import { isAlive } from './liveness.ts';
import { reconcileSnapshots } from '../../snapshots/node/reconcileSnapshots.ts';
import { openKeeperOfGone } from '../../snapshots/node/keptProviders.ts';
import { openSnapshotProvider } from '../../snapshots/node/snapshotProviders.ts';
import { readSnapshots } from '../../snapshots/node/snapshotsFile.ts';

export type KeptFiles = Extract<SnapshotFiles, { state: 'kept' }>;

/** The snapshots of one session, and the provider that holds their files. */
export class SessionFiles {
  readonly session: CataloguedSession;
  /** Where the files are now. */
  readonly workspace: string;
  /** Where they were when they were kept. */
  readonly knownAs: string;
  #snapshots: readonly SnapshotLine[] = [];
  #provider: Promise<SnapshotProvider> | undefined;
  #isGone = false;
  /** A killed recorder left something half said, and it could not be found out yet. */
  #isUnclear = false;

  private constructor(session: CataloguedSession, workspace: string, knownAs: string) {
    this.session = session;
    this.workspace = workspace;
    this.knownAs = knownAs;
  }

  /**
   * @param movedTo where the workspace is now, if it is no longer where it was
   * @throws UserError when its files were never kept
   */
  static async open(session: CataloguedSession, movedTo?: string): Promise<SessionFiles> {
    const { workspace } = session.meta;
    if (workspace === undefined) {
      throw new UserError('snapshots-off', 'The files of this session are not kept.');
    }
    const files = new SessionFiles(session, movedTo ?? workspace, workspace);
    await files.refresh();
    files.#isUnclear = await files.#isHalfSaid();
    if (files.#isUnclear) await files.refresh();
    return files;
  }

  /** A recorder that was killed may have left a snapshot half said, also while it completed the last one behind a finished program. */
  async #isHalfSaid(): Promise<boolean> {
    if (this.session.meta.state === 'interrupted') return true;
    const isOpen = this.#snapshots.some(
      (line) => line.files.state === 'pending' || isUnproven(line),
    );
    return isOpen && !(await isAlive(this.session));
  }

  /** As of the last {@link refresh}. */
  get snapshots(): readonly SnapshotLine[] {
    return this.#snapshots;
  }

  /** Snapshots come while a session runs, and go. */
  async refresh(): Promise<void> {
    this.#snapshots = await readSnapshots(this.session.folder);
    if (!this.#isUnclear) return;
    const open = () => this.provider();
    this.#isUnclear = !(await reconcileSnapshots(this.session, open, this.#keptWith));
    this.#snapshots = await readSnapshots(this.session.folder);
  }

  get #formerPlace(): string | undefined {
    return this.knownAs === this.workspace ? undefined : this.knownAs;
  }

  /**
   * Found once, and again when the workspace has gone or come back, or when it could not be had. Of one that is gone, what was
   * kept can be read.
   */
  provider(): Promise<SnapshotProvider> {
    const isGone = !existsSync(this.workspace);
    if (isGone !== this.#isGone) this.#forgetProvider();
    this.#isGone = isGone;
    if (this.#provider) return this.#provider;
    const opening = isGone
      ? openKeeperOfGone(this.knownAs, this.#keptWith)
      : openSnapshotProvider(this.workspace, this.#formerPlace, this.#keptWith);
    opening.catch(() => {
      if (this.#provider === opening) this.#provider = undefined;
    });
    return (this.#provider = opening);
  }

  #forgetProvider(): void {
    void this.#provider?.then(
      (provider) => provider.dispose(),
      () => undefined,
    );
    this.#provider = undefined;
  }

  /** What the files of this session were kept with last. */
  get #keptWith(): ProviderName | undefined {
    return this.#snapshots
      .flatMap(({ files }) => (files.state === 'kept' ? files.provider : []))
      .at(-1);
  }

  /** @throws UserError when there is none of that number */
  find(id: bigint): SnapshotLine {
    const found = this.#snapshots.find((snapshot) => snapshot.id === id);
    if (found) return found;
    throw new UserError(
      'no-snapshot',
      `There is no snapshot ${id} in session ${this.session.meta.id}. See: ah agent fs list`,
    );
  }

  /** @throws UserError that says why its files are not there */
  kept(id: bigint): KeptFiles {
    const { files } = this.find(id);
    switch (files.state) {
      case 'kept':
        return files;
      case 'pending':
        throw new UserError(
          'no-files',
          this.#isUnclear
            ? `Whether the files of snapshot ${id} were kept cannot be found out now.`
            : `Snapshot ${id} is still being taken.`,
        );
      case 'failed':
        throw new UserError(
          'no-files',
          `The files of snapshot ${id} were not kept: ${files.reason}`,
        );
      case 'removed':
        throw new UserError(
          'no-files',
          `Snapshot ${id} has been removed to free disk space or with a branch.`,
        );
      case 'elsewhere':
        throw new UserError('no-files', `The files of snapshot ${id} are kept by another program.`);
    }
  }

  async tree(id: bigint): Promise<SnapshotTree> {
    const { ref } = this.kept(id);
    return (await this.provider()).open(ref);
  }

  async dispose(): Promise<void> {
    (await this.#provider?.catch(() => undefined))?.dispose();
  }
}
