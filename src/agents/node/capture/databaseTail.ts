import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Disposable } from '../../../base/lifecycle.ts';
import { Sequencer } from '../../../base/sequencer.ts';

const FIRST_POLL_MS = 500;
const LAST_POLL_MS = 5000;
const POLL_GROWTH = 1.3;
/** Rows of one look; the rest comes with the next. */
const MAX_ROWS = 5000;
/** The agent may be writing: it is waited for, but not for long. */
const BUSY_MS = 200;

export interface DatabaseTailOptions {
  /** Sessions of this folder. */
  readonly directory: string;
  /** Only what happened since. */
  readonly sinceMs: number;
  /** Called for each row that is new or has changed. */
  onRow(line: string, timeNs: bigint): void;
  /** Called for what sessions that go on have from before. */
  onOlderRow?(line: string): void;
  /** Told once, until it can be read again. */
  onTrouble(error: unknown): void;
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

/** A part does not say who it is by; its message does, but may have changed later than the part. */
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

/** The agent makes its tables one by one when it starts for the first time. */
const TABLES = `
  SELECT count(*) AS count FROM sqlite_master
  WHERE type = 'table' AND name IN ('session', 'message', 'part')`;
const TABLE_COUNT = 3;
/** SQLite's numbers for a database, or a table, that another one is writing. */
const BUSY_CODES: readonly unknown[] = [5, 6];

/** Follows the database in which opencode keeps its sessions. Only reads. */
export class DatabaseTail implements Disposable {
  readonly #file: string;
  readonly #options: DatabaseTailOptions;
  readonly #reads = new Sequencer();
  #database: DatabaseSync | undefined;
  /** Of the file that is open: another one may take its place. */
  #inode: bigint | undefined;
  /** What SQLite says of the whole database when nobody has written to it since. */
  #version: unknown;
  #updatedMs: number;
  /** Rows of the last moment that was read: it may not have been over. */
  #told = new Set<string>();
  /** When each session that is known was changed last. */
  readonly #sessions = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #pollMs = FIRST_POLL_MS;
  #isDisposed = false;
  #isReady = false;
  #isTroubled = false;

  constructor(file: string, options: DatabaseTailOptions) {
    this.#file = file;
    this.#options = options;
    this.#updatedMs = options.sinceMs;
  }

  start(): void {
    void this.read().then((count) => {
      if (this.#isDisposed) return;
      this.#pollMs = count > 0 ? FIRST_POLL_MS : Math.min(LAST_POLL_MS, this.#pollMs * POLL_GROWTH);
      this.#timer = setTimeout(() => this.start(), this.#pollMs).unref();
    });
  }

  /** Reads what is new. @returns how many rows that was */
  read(): Promise<number> {
    return this.#reads.queue(async () => {
      try {
        const count = this.#isDisposed ? 0 : await this.#readRows();
        this.#isTroubled = false;
        return count;
      } catch (error) {
        if (BUSY_CODES.includes((error as { errcode?: unknown }).errcode)) return 0;
        if (!this.#isTroubled) this.#options.onTrouble(error);
        this.#isTroubled = true;
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
    // The database is that of all projects, and the question is not cheap.
    if (version === this.#version) return 0;
    const { directory, sinceMs } = this.#options;
    if (this.#options.onOlderRow) this.#tellSessions(database);
    const query = database.prepare(CHANGED_ROWS);
    const rows = query.all(this.#updatedMs, directory, sinceMs) as unknown as Row[];
    const fresh = rows.filter((row) => !this.#told.has(nameOf(row)));
    for (const row of fresh) this.#tell(row);
    // Until there is nothing new: a look has its limit, and may have come in the middle of something.
    if (fresh.length === 0) this.#version = version;
    return fresh.length;
  }

  /** The file that is there now. What another one in its place says comes from its beginning: it may say anything. */
  async #open(): Promise<DatabaseSync | undefined> {
    const inode = statSync(this.#file, { bigint: true, throwIfNoEntry: false })?.ino;
    if (this.#database && (inode === undefined || inode === this.#inode)) return this.#database;
    this.#database?.close();
    this.#database = undefined;
    if (inode === undefined) return undefined;
    // Older versions of Node do not have it; only this agent needs it.
    const sqlite = await import('node:sqlite');
    this.#database = new sqlite.DatabaseSync(this.#file, { readOnly: true, timeout: BUSY_MS });
    this.#inode = inode;
    this.#isReady = false;
    this.#version = undefined;
    this.#updatedMs = this.#options.sinceMs;
    this.#told = new Set();
    this.#sessions.clear();
    return this.#database;
  }

  /** What there is of a session besides what is said in it, and what was said before. */
  #tellSessions(database: DatabaseSync): void {
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

  #tell(row: Row): void {
    if (row.time_updated > this.#updatedMs) {
      this.#updatedMs = row.time_updated;
      this.#told = new Set();
    }
    this.#told.add(nameOf(row));
    this.#options.onRow(lineOf(row), BigInt(row.time_created) * 1_000_000n);
  }
}

/** Everything that a database has of some sessions, in the lines of a {@link DatabaseTail}. */
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
  // The data are JSON already, and stay as they are.
  return `${head.slice(0, -1)},"data":${data}}`;
}

/** With what it says: a row may change twice in a millisecond. */
function nameOf({ table, id, time_updated, data }: Row): string {
  return `${table} ${id} ${time_updated} ${data}`;
}
