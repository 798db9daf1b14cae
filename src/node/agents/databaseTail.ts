import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Disposable } from '../../base/lifecycle.ts';
import { Sequencer } from '../../base/sequencer.ts';

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
const CHANGED_ROWS = `
  SELECT * FROM (
    SELECT 'message' AS "table", id, session_id, NULL AS message_id, time_created, time_updated, data, NULL AS role
    FROM message
    UNION ALL
    SELECT 'part', id, session_id, message_id, time_created, time_updated, data,
      (SELECT json_extract(message.data, '$.role') FROM message WHERE message.id = message_id) FROM part
  ) WHERE time_updated >= ? AND session_id IN (SELECT id FROM session WHERE directory = ? AND time_updated >= ?)
  ORDER BY time_updated, "table", id LIMIT ${MAX_ROWS}`;

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
  #updatedMs: number;
  /** Rows of the last moment that was read: it may not have been over. */
  #told = new Set<string>();
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
    if (!this.#database) {
      if (!existsSync(this.#file)) return 0;
      // Older versions of Node do not have it; only this agent needs it.
      const sqlite = await import('node:sqlite');
      this.#database = new sqlite.DatabaseSync(this.#file, { readOnly: true, timeout: BUSY_MS });
    }
    this.#isReady ||= this.#database.prepare(TABLES).get()?.['count'] === TABLE_COUNT;
    if (!this.#isReady) return 0;
    const { directory, sinceMs } = this.#options;
    const query = this.#database.prepare(CHANGED_ROWS);
    const rows = query.all(this.#updatedMs, directory, sinceMs) as unknown as Row[];
    const fresh = rows.filter((row) => !this.#told.has(nameOf(row)));
    for (const row of fresh) this.#tell(row);
    return fresh.length;
  }

  #tell(row: Row): void {
    if (row.time_updated > this.#updatedMs) {
      this.#updatedMs = row.time_updated;
      this.#told = new Set();
    }
    this.#told.add(nameOf(row));
    const { table, id, session_id, message_id, role, data, time_created } = row;
    const head = JSON.stringify({ table, id, session_id, message_id, role });
    // The data are JSON already, and stay as they are.
    this.#options.onRow(`${head.slice(0, -1)},"data":${data}}`, BigInt(time_created) * 1_000_000n);
  }
}

function nameOf({ table, id, time_updated }: Row): string {
  return `${table} ${id} ${time_updated}`;
}
