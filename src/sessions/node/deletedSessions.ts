import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import { replaceFile } from '../../platform/node/files/atomicFile.ts';
import type { Catalogue, CataloguedSession } from './catalogue.ts';
import { makePrivateFolder } from '../../platform/node/paths.ts';
import { readSessionMeta } from './sessionMeta.ts';
import { checkScrubFinished } from './unfinishedScrubs.ts';

/**
 * Sessions that were deleted but can still be restored: they are not in the catalogue, but their
 * files still exist. One note per session lets any window purge the files later, even if the window
 * that deleted the session is closed.
 */
export class DeletedSessions {
  readonly #catalogue: Catalogue;
  readonly #folder: string;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#folder = path.join(path.dirname(catalogue.folder), 'deleted');
  }

  /** @throws UserError `session-running`, `scrub-unfinished` */
  async add({ folder, meta }: CataloguedSession): Promise<void> {
    if (meta.state === 'running') {
      throw new UserError(
        'session-running',
        "Can't delete the session while it is running. Stop it first.",
        { remedy: { kind: 'stopSession', sessionId: meta.id } },
      );
    }
    checkScrubFinished(meta.id, this.#catalogue);
    makePrivateFolder(this.#folder);
    await replaceFile(this.#file(meta.id), JSON.stringify({ folder, deletedAtMs: Date.now() }));
    await this.#catalogue.remove(meta.id);
  }

  /** The deleted sessions whose files still exist. */
  async list(): Promise<CataloguedSession[]> {
    const found = (await this.#ids()).map(async (id) => {
      const { folder } = await this.#read(id);
      return { folder, meta: await readSessionMeta(folder) };
    });
    // Damaged notes, and notes without a session, are left out.
    const sessions = await Promise.all(found.map((each) => each.catch(() => undefined)));
    return sessions.filter((session) => session !== undefined);
  }

  async restore(id: string): Promise<void> {
    const { folder } = await this.#read(id);
    await this.#catalogue.add(id, folder);
    await rm(this.#file(id), { force: true });
  }

  /** Removes the files for good. */
  async purge(id: string): Promise<void> {
    const { folder } = await this.#read(id);
    // A file names the folder, so make sure that the folder contains this session before removing
    // it.
    const meta = await readSessionMeta(folder).catch(() => undefined); // Removed already.
    if (meta?.id === id) await rm(folder, { recursive: true, force: true });
    await rm(this.#file(id), { force: true });
  }

  /** Purges sessions that were deleted longer ago than this; returns their IDs. */
  async purgeOlderThan(ageMs: number): Promise<string[]> {
    const purged: string[] = [];
    for (const id of await this.#ids()) {
      const note = await this.#read(id).catch(() => undefined); // Damaged, or purged already.
      if (!note || Date.now() - note.deletedAtMs < ageMs) continue;
      await this.purge(id);
      purged.push(id);
    }
    return purged;
  }

  async #ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => []); // No session was deleted yet.
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  }

  async #read(id: string): Promise<{ folder: string; deletedAtMs: number }> {
    const note = JSON.parse(await readFile(this.#file(id), 'utf8')) as Record<string, unknown>;
    const { folder, deletedAtMs } = note;
    if (typeof folder !== 'string' || typeof deletedAtMs !== 'number') {
      throw new Error(`${this.#file(id)} is damaged.`);
    }
    return { folder, deletedAtMs };
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }
}
