import { open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import {
  decodeBranchRecord,
  encodeBranchRecord,
  type BranchRecord,
} from '../common/branchRecord.ts';
import { replaceSmallFile, syncFolder } from '../../platform/node/files/atomicFile.ts';
import { dataFolder, makePrivateFolder } from '../../platform/node/paths.ts';
import { nodeProcesses } from '../../platform/node/processes/processes.ts';

/** All branches of this user: one file each, in a place that the command line and every window know. */
export class BranchRegistry {
  readonly folder: string;

  constructor(folder = path.join(dataFolder(), 'branches')) {
    this.folder = folder;
  }

  /** In one step for whoever looks, and for a kill. */
  put(record: BranchRecord): Promise<void> {
    return new Promise((resolve) => {
      makePrivateFolder(this.folder);
      replaceSmallFile(this.#file(record.id), encodeBranchRecord(record));
      resolve();
    });
  }

  /**
   * For a power cut: what it refers to before it does. Nobody has to wait for it, a disk may take 0.1 s. Without it the branch
   * is there all the same, and says itself what it is.
   */
  async keepForGood({ id, made }: BranchRecord): Promise<void> {
    for (const file of [...(made?.files ?? []), this.#file(id)]) await syncFile(file);
  }

  async remove(id: string): Promise<void> {
    await rm(this.#file(id), { force: true });
  }

  /** Newest first; what is damaged is left out. */
  async list(): Promise<BranchRecord[]> {
    const names = await readdir(this.folder).catch(() => []);
    const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
    const found = await Promise.all(ids.map((id) => this.get(id)));
    return found
      .filter((record) => record !== undefined)
      .sort((a, b) => (a.createdAtNs < b.createdAtNs ? 1 : -1));
  }

  /** Those that came from a session, which may be deleted by now. */
  async listFrom(sessionId: string): Promise<BranchRecord[]> {
    return (await this.list()).filter(({ from }) => from.sessionId === sessionId);
  }

  async get(id: string): Promise<BranchRecord | undefined> {
    if (id !== path.basename(id)) return undefined;
    const text = await readFile(this.#file(id), 'utf8').catch(() => undefined);
    const record = text === undefined ? undefined : decodeBranchRecord(text);
    return record?.id === id ? record : undefined;
  }

  /** @param which a name, a folder, an id, or an end of an id that no other has. @throws UserError */
  async find(which: string): Promise<BranchRecord> {
    const records = await this.list();
    const folder = path.resolve(which);
    const found = records.filter(
      ({ id, name, workspace, destination }) =>
        [id, name].includes(which) || [workspace, destination].includes(folder),
    );
    const matching = found.length > 0 ? found : records.filter(({ id }) => id.endsWith(which));
    if (matching.length === 1 && which !== '') return matching[0]!;
    throw new UserError(
      'branch-not-found',
      matching.length > 1 && which !== ''
        ? `${matching.length} branches match “${which}”; say the id. See: ah agent branches`
        : `There is no branch “${which}”. See: ah agent branches`,
    );
  }

  /** Whether nobody is at work on it although it is not complete: a kill left it. */
  async isLeftover({ state, owner }: BranchRecord): Promise<boolean> {
    return state !== 'ready' && !(await nodeProcesses.isAlive(owner));
  }

  /**
   * Takes over the start of a branch that waits for a window, so that one window starts it and no other.
   * @returns the branch as it is from now on; undefined when it does not wait (any more)
   */
  claimLaunch(id: string): Promise<BranchRecord | undefined> {
    return this.#alone(id, async () => {
      const record = await this.get(id);
      return record?.launch?.isWaiting ? this.#withoutWaiting(record) : undefined;
    });
  }

  /**
   * Starts a branch for whoever does not wait for a window, and no window and nobody else does meanwhile.
   * @param launch what starts it; is told the branch as it is from now on
   * @returns undefined when somebody else is at it
   */
  launch<T>(id: string, launch: (record: BranchRecord) => Promise<T>): Promise<T | undefined> {
    return this.#alone(id, async () => {
      const record = await this.get(id);
      const claimed = record?.launch?.isWaiting ? await this.#withoutWaiting(record) : record;
      return claimed && launch(claimed);
    });
  }

  async #withoutWaiting(record: BranchRecord): Promise<BranchRecord | undefined> {
    if (record.state !== 'ready' || !record.launch) return undefined;
    const claimed = { ...record, launch: { ...record.launch, isWaiting: false } };
    await this.put(claimed);
    return claimed;
  }

  /** What it reads is what is: another one may have been there between our look and our claim. */
  async #alone<T>(id: string, task: () => Promise<T>): Promise<T | undefined> {
    const claim = path.join(this.folder, `${id}.claim`);
    if (!(await this.#take(claim))) return undefined;
    try {
      return await task();
    } finally {
      await rm(claim, { force: true });
    }
  }

  async #take(claim: string): Promise<boolean> {
    if (await hasCreated(claim)) return true;
    const holder = await readFile(claim, 'utf8').catch(() => '');
    if (holder === '' || (await nodeProcesses.isAlive(holder))) return false;
    await rm(claim, { force: true });
    return hasCreated(claim);
  }

  #file(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }
}

/** False when somebody else has it. */
async function hasCreated(claim: string): Promise<boolean> {
  try {
    const handle = await open(claim, 'wx', 0o600);
    await handle.writeFile(nodeProcesses.own).finally(() => handle.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function syncFile(file: string): Promise<void> {
  try {
    const handle = await open(file, 'r');
    await handle.sync().finally(() => handle.close());
    await syncFolder(path.dirname(file));
  } catch {
    // Removed meanwhile, or a disk that does not know how.
  }
}
