import { open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, UserError } from '../../base/errors.ts';
import {
  decodeBranchRecord,
  encodeBranchRecord,
  type BranchRecord,
} from '../common/branchRecord.ts';
import { replaceSmallFile, syncFolder } from '../../platform/node/files/atomicFile.ts';
import { dataFolder, makePrivateFolder } from '../../platform/node/paths.ts';
import { nodeProcesses } from '../../platform/node/processes/processes.ts';

/** All branches of this user: one file per branch, in a folder that the CLI and all windows use. */
export class BranchRegistry {
  readonly folder: string;

  constructor(folder = path.join(dataFolder(), 'branches')) {
    this.folder = folder;
  }

  /**
   * Replaces the record atomically, so that no reader and no killed process sees a half-written
   * file.
   */
  put(record: BranchRecord): Promise<void> {
    return new Promise((resolve) => {
      makePrivateFolder(this.folder);
      replaceSmallFile(this.#file(record.id), encodeBranchRecord(record));
      resolve();
    });
  }

  /**
   * Flushes a branch to the disk in case of a power cut: first its files, then the record that
   * lists them. Callers need not wait: a flush may take 0.1 s, and if it never happens, the
   * branch's own folder still describes the branch.
   */
  async sync({ id, made }: BranchRecord): Promise<void> {
    for (const file of [...(made?.files ?? []), this.#file(id)]) await syncFile(file);
  }

  async remove(id: string): Promise<void> {
    await rm(this.#file(id), { force: true });
  }

  /** All branches, newest first; damaged records are left out. */
  async list(): Promise<BranchRecord[]> {
    const names = await readdir(this.folder).catch(() => []); // No branch was made yet.
    const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
    const found = await Promise.all(ids.map((id) => this.get(id)));
    return found
      .filter((record) => record !== undefined)
      .sort((a, b) => (a.createdAtNs < b.createdAtNs ? 1 : -1));
  }

  /** The branches of a session, even if the session was deleted. */
  async listFrom(sessionId: string): Promise<BranchRecord[]> {
    return (await this.list()).filter(({ from }) => from.sessionId === sessionId);
  }

  async get(id: string): Promise<BranchRecord | undefined> {
    if (id !== path.basename(id)) return undefined;
    const text = await readFile(this.#file(id), 'utf8').catch(() => undefined); // No such branch.
    const record = text === undefined ? undefined : decodeBranchRecord(text);
    return record?.id === id ? record : undefined;
  }

  /**
   * @param which a name, a folder, an ID, or the end of an ID if only one branch has it. @throws
   * UserError
   */
  async find(which: string): Promise<BranchRecord> {
    const records = await this.list();
    const folder = path.resolve(which);
    const found = records.filter(
      ({ id, name, workspace, destination }) =>
        [id, name].includes(which) || [workspace, destination].includes(folder),
    );
    const matching = found.length > 0 ? found : records.filter(({ id }) => id.endsWith(which));
    const [only, other] = which === '' ? [] : matching;
    if (only && !other) return only;
    throw new UserError(
      'branch-not-found',
      other
        ? `${matching.length} branches match “${which}”; use the ID. See: ah agent branches`
        : `There is no branch “${which}”. See: ah agent branches`,
    );
  }

  /** Whether a killed process left the branch incomplete. */
  async isLeftover({ state, owner }: BranchRecord): Promise<boolean> {
    return state !== 'ready' && !(await nodeProcesses.isAlive(owner));
  }

  /**
   * Claims a branch that waits for a window, so that only one window starts it.
   * @returns the changed record; undefined when the branch does not wait
   */
  claimLaunch(id: string): Promise<BranchRecord | undefined> {
    return this.#exclusively(id, async () => {
      const record = await this.get(id);
      return record?.launch?.isWaiting ? this.#withoutWaiting(record) : undefined;
    });
  }

  /**
   * Starts a branch without waiting for a window. Meanwhile no other process can start the branch.
   * @param launch gets the changed record
   * @returns undefined when another process is starting the branch
   */
  launch<T>(id: string, launch: (record: BranchRecord) => Promise<T>): Promise<T | undefined> {
    return this.#exclusively(id, async () => {
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

  /**
   * Runs the task if no other process has claimed the branch. The task has to read the record
   * itself, because the record may have changed before the claim.
   */
  async #exclusively<T>(id: string, task: () => Promise<T>): Promise<T | undefined> {
    const claim = path.join(this.folder, `${id}.claim`);
    if (!(await this.#claim(claim))) return undefined;
    try {
      return await task();
    } finally {
      await rm(claim, { force: true });
    }
  }

  async #claim(claim: string): Promise<boolean> {
    if (await createClaim(claim)) return true;
    const holder = await readFile(claim, 'utf8').catch(() => ''); // Released, or not yet written.
    if (holder === '' || (await nodeProcesses.isAlive(holder))) return false;
    await rm(claim, { force: true });
    return createClaim(claim);
  }

  #file(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }
}

/** Returns false when another process has the claim. */
async function createClaim(claim: string): Promise<boolean> {
  try {
    const handle = await open(claim, 'wx', 0o600);
    await handle.writeFile(nodeProcesses.own).finally(() => handle.close());
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function syncFile(file: string): Promise<void> {
  try {
    const handle = await open(file, 'r');
    await handle.sync().finally(() => handle.close());
    await syncFolder(path.dirname(file));
  } catch {
    // The file was removed meanwhile, or the file system can't flush.
  }
}
