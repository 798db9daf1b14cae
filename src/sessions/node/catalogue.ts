import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, UserError } from '../../base/errors.ts';
import { replaceFile } from '../../platform/node/files/atomicFile.ts';
import { dataFolder, makePrivateFolder } from '../../platform/node/paths.ts';
import { readSessionMeta, type SessionMeta } from './sessionMeta.ts';

export interface CataloguedSession {
  readonly folder: string;
  readonly meta: SessionMeta;
}

/** All sessions, and whether the list is complete, which pruning depends on. */
export interface AllSessions {
  /** Newest first. */
  readonly sessions: CataloguedSession[];
  /**
   * Some entries can't be read or are damaged. Entries whose session folder is missing don't count.
   */
  readonly areSomeUnknown: boolean;
}

/**
 * Lists all sessions of this user, wherever their folders are. One small file per session names its
 * folder. The CLI and all editor windows use the same catalogue.
 */
export class Catalogue {
  /** Holds one file per session. */
  readonly folder: string;

  constructor(folder = path.join(dataFolder(), 'catalogue')) {
    this.folder = folder;
  }

  async add(id: string, sessionFolder: string): Promise<void> {
    makePrivateFolder(this.folder);
    await replaceFile(this.#file(id), JSON.stringify({ folder: sessionFolder }));
  }

  async remove(id: string): Promise<void> {
    await rm(this.#file(id), { force: true });
  }

  /** Newest first, without sessions whose folder is missing or damaged. */
  async list(): Promise<CataloguedSession[]> {
    return (await this.listAll()).sessions;
  }

  /** Like {@link list}, and also tells whether the list is complete. */
  async listAll(): Promise<AllSessions> {
    let areSomeUnknown = false;
    const unlessUnknown = (error: unknown): undefined => {
      areSomeUnknown ||= !isGone(error);
    };
    const names = (await readdir(this.folder).catch(unlessUnknown)) ?? [];
    const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
    const found = await Promise.all(ids.map((id) => this.get(id).catch(unlessUnknown)));
    const sessions = found
      .filter((session) => session !== undefined)
      .sort((a, b) => (a.meta.startedAtNs < b.meta.startedAtNs ? 1 : -1));
    return { sessions, areSomeUnknown };
  }

  /** @param id a session's ID, or a unique start or end of it */
  async find(id: string): Promise<CataloguedSession> {
    const sessions = (await this.list()).filter(
      ({ meta }) => meta.id.startsWith(id) || meta.id.endsWith(id),
    );
    const exact = sessions.find(({ meta }) => meta.id === id) ?? sessions[0];
    if (!exact || id === '') {
      throw new UserError(
        'session-not-found',
        `There is no session "${id}". See: ah agent sessions`,
      );
    }
    if (exact.meta.id !== id && sessions.length > 1) {
      throw new UserError(
        'session-ambiguous',
        `${sessions.length} sessions match "${id}". Give more of the ID.`,
      );
    }
    return exact;
  }

  async get(id: string): Promise<CataloguedSession> {
    const entry = JSON.parse(await readFile(this.#file(id), 'utf8')) as { folder?: unknown };
    if (typeof entry.folder !== 'string') throw new Error(`Damaged catalogue entry: ${id}`);
    return { folder: entry.folder, meta: await readSessionMeta(entry.folder) };
  }

  #file(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }
}

function isGone(error: unknown): boolean {
  const cause = error instanceof UserError ? error.cause : error;
  return errorCode(cause) === 'ENOENT';
}
