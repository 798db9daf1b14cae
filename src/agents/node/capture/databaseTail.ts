import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Disposable } from '../../../base/lifecycle.ts';
import { Sequencer } from '../../../base/sequencer.ts';
import { PollPace } from '../../../platform/node/pollPace.ts';

/** The most rows that one query reads; the next query continues. */
const MAX_ROWS = 5000;
/** How long a query waits for an agent that is writing. */
const BUSY_MS = 200;

export interface DatabaseTailOptions {
  /** Reads only sessions of this folder. */
  readonly directory: string;
  /** Reads only rows that changed since this time. */
  readonly sinceMs: number;
  /** Called for each new or changed row. */
  onRow(line: string, timeNs: bigint): void;
  /** Called for earlier rows of a resumed session. */
  onOlderRow?(line: string): void;
  /** Called when the database cannot be read, and not again until a read has succeeded. */
  onError(error: unknown): void;
}

interface Row {
  readonly table: 'message' | 'part';
  readonly id: string;
  readonly session_id: string;
  readonly message_id: string | null;
  readonly time_created: number;
  readonly time_updated: number;
  readonly data: string;
  readonly role: string | null;
}

/**
 * A part has no role of its own, and its message's row may come later, so the query adds the
 * message's role to the part.
 */
const ROWS = `
  SELECT * FROM (
    SELECT 'message' AS "table", id, session_id, NULL AS message_id, time_created, time_updated, data, NULL AS role
    FROM message
    UNION ALL
    SELECT 'part', id, session_id, message_id, time_created, time_updated, data,
      (SELECT json_extract(message.data, '$.role') FROM message WHERE message.id = message_id) FROM part
  )`;
const CHANGED_ROWS = `${ROWS}
  WHERE time_updated >= ? AND session_id IN (SELECT id FROM session WHERE directory = ? AND time_updated >= ?)
  ORDER BY time_updated, "table", id LIMIT ${MAX_ROWS}`;
const OLDER_ROWS = `${ROWS} WHERE time_updated < ? AND session_id = ? ORDER BY time_updated, "table", id`;
const ROWS_OF_SESSION = `${ROWS} WHERE session_id = ? ORDER BY time_updated, "table", id`;
const CHANGED_SESSIONS = 'SELECT * FROM session WHERE directory = ? AND time_updated >= ?';

/** On its first start the agent creates its tables one by one. */
const TABLES = `
  SELECT count(*) AS count FROM sqlite_master
  WHERE type = 'table' AND name IN ('session', 'message', 'part')`;
const TABLE_COUNT = 3;
/** SQLITE_BUSY and SQLITE_LOCKED: another process is writing. */
const BUSY_CODES: readonly unknown[] = [5, 6];

/** Follows the database of opencode, without writing to it. */
export class DatabaseTail implements Disposable {
  readonly #file: string;
  readonly #options: DatabaseTailOptions;
  readonly #reads = new Sequencer();
  #database: DatabaseSync | undefined;
  /** The inode of the open file: shows when another file has replaced it. */
  #inode: bigint | undefined;
  /**
   * SQLite's `data_version` after the last complete read: unchanged until another process writes.
   */
  #version: unknown;
  #updatedMs: number;
  /** Keys of the rows with the latest time read, since more rows with this time may follow. */
  #reported = new Set<string>();
  /** The time of the last known change of each session, by its ID. */
  readonly #sessions = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  readonly #pace = new PollPace();
  #isDisposed = false;
  #isReady = false;
  #hasReportedError = false;

  constructor(file: string, options: DatabaseTailOptions) {
    this.#file = file;
    this.#options = options;
    this.#updatedMs = options.sinceMs;
  }

  start(): void {
    void this.read().then((count) => {
      if (this.#isDisposed) return;
      this.#pace.polled(count > 0);
      this.#timer = setTimeout(() => this.start(), this.#pace.ms).unref();
    });
  }

  /** @returns the number of new rows */
  read(): Promise<number> {
    return this.#reads.queue(async () => {
      try {
        const count = this.#isDisposed ? 0 : await this.#readRows();
        this.#hasReportedError = false;
        return count;
      } catch (error) {
        if (BUSY_CODES.includes((error as { errcode?: unknown }).errcode)) return 0;
        if (!this.#hasReportedError) this.#options.onError(error);
        this.#hasReportedError = true;
        return 0;
      }
    });
  }

  async finish(): Promise<void> {
    while ((await this.read()) > 0);
    this.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#database?.close();
    this.#database = undefined;
  }

  async #readRows(): Promise<number> {
    const database = await this.#open();
    if (!database) return 0;
    this.#isReady ||= database.prepare(TABLES).get()?.['count'] === TABLE_COUNT;
    if (!this.#isReady) return 0;
    const version = database.prepare('PRAGMA data_version').get()?.['data_version'];
    // The database has the sessions of all projects, so the query is expensive.
    if (version === this.#version) return 0;
    const { directory, sinceMs } = this.#options;
    if (this.#options.onOlderRow) this.#reportSessions(database);
    const query = database.prepare(CHANGED_ROWS);
    const rows = query.all(this.#updatedMs, directory, sinceMs) as unknown as Row[];
    const fresh = rows.filter((row) => !this.#reported.has(keyOf(row)));
    for (const row of fresh) this.#report(row);
    // Remembers the version only when no row was new: the query is limited, and the agent may be in
    // the middle of writing.
    if (fresh.length === 0) this.#version = version;
    return fresh.length;
  }

  /** Opens the file. If another file has replaced it, reads that one from its beginning. */
  async #open(): Promise<DatabaseSync | undefined> {
    const inode = statSync(this.#file, { bigint: true, throwIfNoEntry: false })?.ino;
    if (this.#database && (inode === undefined || inode === this.#inode)) return this.#database;
    this.#database?.close();
    this.#database = undefined;
    if (inode === undefined) return undefined;
    // Imported on demand: older versions of Node lack it, and other agents don't need it.
    const sqlite = await import('node:sqlite');
    this.#database = new sqlite.DatabaseSync(this.#file, { readOnly: true, timeout: BUSY_MS });
    this.#inode = inode;
    this.#isReady = false;
    this.#version = undefined;
    this.#updatedMs = this.#options.sinceMs;
    this.#reported = new Set();
    this.#sessions.clear();
    return this.#database;
  }

  /** Reports changed sessions, and the earlier rows of sessions that it sees for the first time. */
  #reportSessions(database: DatabaseSync): void {
    const { directory, sinceMs } = this.#options;
    for (const session of database.prepare(CHANGED_SESSIONS).all(directory, sinceMs)) {
      const id = String(session['id']);
      const updated = Number(session['time_updated']);
      const before = this.#sessions.get(id);
      if (before === updated) continue;
      this.#sessions.set(id, updated);
      this.#options.onOlderRow?.(sessionLine(id, session));
      if (before !== undefined) continue;
      const older = database.prepare(OLDER_ROWS).all(sinceMs, id) as unknown as Row[];
      for (const row of older) this.#options.onOlderRow?.(lineOf(row));
    }
  }

  #report(row: Row): void {
    if (row.time_updated > this.#updatedMs) {
      this.#updatedMs = row.time_updated;
      this.#reported = new Set();
    }
    this.#reported.add(keyOf(row));
    this.#options.onRow(lineOf(row), BigInt(row.time_created) * 1_000_000n);
  }
}

/** All rows of some sessions, in the line format of {@link DatabaseTail}. */
export async function rowsOfSessions(file: string, sessions: readonly string[]): Promise<string[]> {
  const sqlite = await import('node:sqlite');
  const database = new sqlite.DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  try {
    return sessions.flatMap((id) => {
      const session = database.prepare('SELECT * FROM session WHERE id = ?').get(id);
      if (!session) return [];
      const rows = database.prepare(ROWS_OF_SESSION).all(id) as unknown as Row[];
      return [sessionLine(id, session), ...rows.map(lineOf)];
    });
  } finally {
    database.close();
  }
}

function sessionLine(id: string, columns: object): string {
  return JSON.stringify({ table: 'session', id, session_id: id, data: columns });
}

function lineOf({ table, id, session_id, message_id, role, data }: Row): string {
  const head = JSON.stringify({ table, id, session_id, message_id, role });
  // The data are already JSON.
  return `${head.slice(0, -1)},"data":${data}}`;
}

/** Includes the data, since a row may change twice in a millisecond. */
function keyOf({ table, id, time_updated, data }: Row): string {
  return `${table} ${id} ${time_updated} ${data}`;
}
