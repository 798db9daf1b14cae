import { existsSync } from 'node:fs';
import { UserError } from '../../../base/errors.ts';
import { isUnverified } from '../../common/verifiedLine.ts';
import type { ProviderName, SnapshotProvider, SnapshotTree } from '../../common/provider.ts';
import type { KeptFiles, SnapshotLine } from '../../common/snapshotLine.ts';
import type { CataloguedSession } from '../../../sessions/node/catalogue.ts';
import { isAlive } from '../../../sessions/node/liveness.ts';
import { reconcileSnapshots } from './reconcileSnapshots.ts';
import { openProviderOfMissingFolder, openSnapshotProvider } from '../open/openProviders.ts';
import { readSnapshots } from './snapshotsFile.ts';

/** The snapshots of one session, and the provider that holds their files. */
export class SessionFiles {
  readonly session: CataloguedSession;
  /** The present folder of the workspace. */
  readonly workspace: string;
  /** The folder of the workspace when the session was recorded. */
  readonly knownAs: string;
  #snapshots: readonly SnapshotLine[] = [];
  #provider: Promise<SnapshotProvider> | undefined;
  #isGone = false;
  /** A killed recorder left incomplete lines that could not be resolved yet. */
  #isUnclear = false;

  private constructor(session: CataloguedSession, workspace: string, knownAs: string) {
    this.session = session;
    this.workspace = workspace;
    this.knownAs = knownAs;
  }

  /**
   * @param movedTo the present folder of the workspace, if it was moved
   * @throws UserError `snapshots-off`
   */
  static async open(session: CataloguedSession, movedTo?: string): Promise<SessionFiles> {
    const { workspace } = session.meta;
    if (workspace === undefined) {
      throw new UserError('snapshots-off', 'This session was recorded without snapshots.');
    }
    const files = new SessionFiles(session, movedTo ?? workspace, workspace);
    await files.refresh();
    files.#isUnclear = await files.#hasIncompleteLines();
    if (files.#isUnclear) await files.refresh();
    return files;
  }

  /** Whether a killed recorder left incomplete lines, possibly at the last snapshot. */
  async #hasIncompleteLines(): Promise<boolean> {
    if (this.session.meta.state === 'interrupted') return true;
    const isOpen = this.#snapshots.some(
      (line) => line.files.state === 'pending' || isUnverified(line),
    );
    return isOpen && !(await isAlive(this.session));
  }

  /** The snapshots at the last {@link refresh}. */
  get snapshots(): readonly SnapshotLine[] {
    return this.#snapshots;
  }

  /** Reads the list again: a running session adds snapshots, and pruning removes some. */
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
   * Opens the provider once, and again when the workspace was removed or restored, or when opening
   * failed. The snapshots of a removed workspace can still be read.
   */
  provider(): Promise<SnapshotProvider> {
    const isGone = !existsSync(this.workspace);
    if (isGone !== this.#isGone) this.#forgetProvider();
    this.#isGone = isGone;
    if (this.#provider) return this.#provider;
    const opening = isGone
      ? openProviderOfMissingFolder(this.knownAs, this.#keptWith)
      : openSnapshotProvider(this.workspace, {
          knownAs: this.#formerPlace,
          keptWith: this.#keptWith,
        });
    // The caller gets the error; the next call tries again.
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

  /** The provider of the session's last snapshot. */
  get #keptWith(): ProviderName | undefined {
    return this.#snapshots
      .flatMap(({ files }) => (files.state === 'kept' ? files.provider : []))
      .at(-1);
  }

  /** @throws UserError `no-snapshot` */
  find(id: bigint): SnapshotLine {
    const found = this.#snapshots.find((snapshot) => snapshot.id === id);
    if (found) return found;
    throw new UserError(
      'no-snapshot',
      `There is no snapshot ${id} in session ${this.session.meta.id}. See: ah agent fs list`,
    );
  }

  /** @throws UserError with the reason why the snapshot has no files */
  kept(id: bigint): KeptFiles {
    const { files } = this.find(id);
    switch (files.state) {
      case 'kept':
        return files;
      case 'pending':
        throw new UserError(
          'no-files',
          this.#isUnclear
            ? `Can't tell whether snapshot ${id} has files: its recorder was killed, and its storage is not available.`
            : `Snapshot ${id} is still being taken.`,
        );
      case 'failed':
        throw new UserError(
          'no-files',
          `Snapshot ${id} has no files, because it failed: ${files.reason}`,
        );
      case 'removed':
        throw new UserError(
          'no-files',
          `Snapshot ${id} has been removed, to free disk space or together with a branch.`,
        );
      case 'elsewhere':
        throw new UserError(
          'no-files',
          `Snapshot ${id} was reported by another program; AH has no files of it.`,
        );
    }
  }

  async tree(id: bigint): Promise<SnapshotTree> {
    const { ref } = this.kept(id);
    return (await this.provider()).open(ref);
  }

  async dispose(): Promise<void> {
    (await this.#provider?.catch(() => undefined))?.dispose(); // Opening failed.
  }
}
