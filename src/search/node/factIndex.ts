import { chmodSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseEventLine } from '../../agents/common/events/eventLine.ts';
import { FACT_KINDS, factOf, type FactKind } from '../../agents/common/events/fact.ts';
import { EVENTS_FILE } from '../../sessions/node/eventsFile.ts';
import { dataFolder } from '../../platform/node/paths.ts';
import {
  excerptOf,
  wordsOf,
  type FactSource,
  type FoundFact,
  type SearchedSession,
} from './factSource.ts';
import { readNewLines, START, type ReadPlace } from './newLines.ts';

/** Increased when the tables or their contents change: an older index is rebuilt. */
const VERSION = 1;
const BUSY_MS = 5000;

const SCHEMA = `
  CREATE TABLE source (session TEXT PRIMARY KEY, offset INTEGER NOT NULL, mark TEXT NOT NULL);
  CREATE TABLE fact (
    id INTEGER PRIMARY KEY, session TEXT NOT NULL, event TEXT NOT NULL, kind TEXT NOT NULL,
    time REAL NOT NULL, byte INTEGER, text TEXT NOT NULL, UNIQUE (session, event)
  );
  CREATE INDEX fact_time ON fact (time);
  CREATE VIRTUAL TABLE fact_text USING fts5(
    text, content='fact', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER fact_added AFTER INSERT ON fact BEGIN
    INSERT INTO fact_text (rowid, text) VALUES (new.id, new.text);
  END;
  CREATE TRIGGER fact_removed AFTER DELETE ON fact BEGIN
    INSERT INTO fact_text (fact_text, rowid, text) VALUES ('delete', old.id, old.text);
  END;
  PRAGMA user_version = ${VERSION};
`;

const COLUMNS = 'session, event, kind, time, byte, fact.text AS text';

interface Row {
  readonly session: string;
  readonly event: string;
  readonly kind: FactKind;
  readonly time: number;
  readonly byte: number | null;
  readonly text: string;
}

/**
 * A database of the facts of all sessions, with a full-text index. It is a redacted cache: it can
 * be deleted at any time, and is rebuilt from the sessions when missing, damaged or outdated.
 */
export class FactIndex implements FactSource {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #inode: number | undefined;
  readonly #secrets: readonly string[];
  readonly #insert: StatementSync;

  /** @param secrets known secrets to redact */
  static async open(file: string, secrets: readonly string[]): Promise<FactIndex> {
    // Imported only when it is used, because older versions of Node lack it.
    const { DatabaseSync: Database } = await import('node:sqlite');
    try {
      return new FactIndex(openDatabase(Database, file), file, secrets);
    } catch {
      // The index is damaged or outdated, so rebuild it.
      removeIndex(file);
      return new FactIndex(openDatabase(Database, file), file, secrets);
    }
  }

  private constructor(database: DatabaseSync, file: string, secrets: readonly string[]) {
    this.#database = database;
    this.#file = file;
    this.#inode = inodeOf(file);
    this.#secrets = secrets;
    this.#insert = database.prepare(
      'INSERT OR IGNORE INTO fact (session, event, kind, time, byte, text) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /**
   * Whether another process deleted the index. Then searches must not find its contents any more.
   */
  get isGone(): boolean {
    return this.#inode === undefined || inodeOf(this.#file) !== this.#inode;
  }

  async update(sessions: readonly SearchedSession[]): Promise<void> {
    const wanted = new Set(sessions.map(({ id }) => id));
    for (const { session } of this.#all<{ session: string }>('SELECT session FROM source')) {
      if (!wanted.has(session)) this.#transaction(() => this.#forget(session));
    }
    for (const session of sessions) while (!(await this.#indexSome(session)));
  }

  search(text: string, limit: number): Promise<FoundFact[]> {
    const words = wordsOf(text);
    if (words.length === 0) return Promise.resolve([]);
    const query = words.map((word) => `"${word}"`).join(' ') + '*';
    const rows = this.#all<Row>(
      `SELECT ${COLUMNS} FROM fact_text JOIN fact ON fact.id = fact_text.rowid
       WHERE fact_text MATCH ? ORDER BY time DESC LIMIT ?`,
      query,
      limit,
    );
    return Promise.resolve(rows.map((row) => asFact(row, words)));
  }

  latest(kinds: readonly FactKind[], limit: number): Promise<FoundFact[]> {
    const known = FACT_KINDS.filter((kind) => kinds.includes(kind));
    const rows = this.#all<Row>(
      `SELECT ${COLUMNS} FROM fact WHERE kind IN (${known.map(() => '?').join(', ')})
       ORDER BY time DESC, id DESC LIMIT ?`,
      ...known,
      limit,
    );
    return Promise.resolve(rows.map((row) => asFact(row, [])));
  }

  close(): void {
    this.#database.close();
  }

  /**
   * Indexes a chunk of a session's new events.
   * @returns whether it was the last chunk
   */
  async #indexSome({ id, folder }: SearchedSession): Promise<boolean> {
    const [place = START] = this.#all<{ offset: number; mark: string }>(
      'SELECT offset, mark FROM source WHERE session = ?',
      id,
    );
    const read = await readNewLines(path.join(folder, EVENTS_FILE), place);
    if (!read) return true;
    if (!read.isReplaced && read.lines.length === 0 && read.place.offset === place.offset)
      return true;
    this.#transaction(() => {
      if (read.isReplaced) this.#forget(id);
      for (const line of read.lines) this.#add(id, line);
      this.#remember(id, read.place);
    });
    return read.isDone;
  }

  #add(session: string, line: string): void {
    const event = parseEventLine(line);
    const fact = typeof event === 'string' ? undefined : factOf(event, this.#secrets);
    if (!fact || typeof event === 'string') return;
    const timeMs = Number(event.timeNs / 1000n) / 1000;
    this.#insert.run(session, event.id, fact.kind, timeMs, event.byte ?? null, fact.text);
  }

  #forget(session: string): void {
    this.#database.prepare('DELETE FROM fact WHERE session = ?').run(session);
    this.#database.prepare('DELETE FROM source WHERE session = ?').run(session);
  }

  #remember(session: string, { offset, mark }: ReadPlace): void {
    const sql = 'INSERT OR REPLACE INTO source (session, offset, mark) VALUES (?, ?, ?)';
    this.#database.prepare(sql).run(session, offset, mark);
  }

  /** Runs a task in a write transaction, since other windows use the same file. */
  #transaction(task: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      task();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #all<T>(sql: string, ...values: (string | number)[]): T[] {
    return this.#database.prepare(sql).all(...values) as unknown as T[];
  }
}

/** The path of the user's index. */
export function searchIndexFile(): string {
  return path.join(dataFolder(), 'search.sqlite');
}

/** Deletes the index; the next search rebuilds it. */
export function removeIndex(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

function openDatabase(Database: typeof DatabaseSync, file: string): DatabaseSync {
  const database = new Database(file, { timeout: BUSY_MS });
  try {
    chmodSync(file, 0o600);
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON',
    );
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    else if (version !== VERSION)
      throw new Error(`The search index has the unknown version ${version}.`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function asFact(
  { session, event, kind, time, byte, text }: Row,
  words: readonly string[],
): FoundFact {
  return {
    session,
    event,
    kind,
    timeMs: time,
    byte: byte ?? undefined,
    excerpt: excerptOf(text, words),
  };
}
