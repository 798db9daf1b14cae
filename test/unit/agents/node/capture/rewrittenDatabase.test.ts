import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { adapterOf } from '../../../../../src/agents/adapters/adapters.ts';
import { eventLine } from '../../../../../src/agents/common/events/eventLine.ts';
import { EventMerger } from '../../../../../src/agents/common/events/eventMerger.ts';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import { DatabaseTail } from '../../../../../src/agents/node/capture/databaseTail.ts';
import { Random } from '../../../../support/random.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../../fixtures/agents/opencode');
const SEEDS = 12;
const FOLDER = '/w';
const SINCE_MS = 1000;

interface Change {
  readonly table: string;
  readonly id: string;
  readonly session_id: string;
  readonly message_id: string | null;
  readonly data: object;
}

/**
 * What the agent wrote into its database, in order: rows that are new and rows that have changed.
 */
function changesOf(name: string): Change[] {
  const lines = readFileSync(path.join(FIXTURES, `${name}.transcript.jsonl`), 'utf8');
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Change);
}

/** A database of opencode, written in good and bad ways. */
class Writer {
  readonly file: string;
  #database: DatabaseSync;
  #nowMs = SINCE_MS;
  readonly #created = new Map<string, number>();

  constructor(file: string) {
    this.file = file;
    this.#database = new DatabaseSync(file);
    this.#database.exec(`PRAGMA journal_mode=WAL;
      CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, time_updated INTEGER);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);`);
  }

  /** @param isLater whether time has passed since the previous write */
  write({ table, id, session_id, message_id, data }: Change, isLater = true): void {
    if (isLater) this.#nowMs++;
    const now = this.#nowMs;
    const text = JSON.stringify(data);
    const created = this.#created.get(id) ?? now;
    this.#created.set(id, created);
    const put = (into: string, ...values: (string | number | null)[]) => {
      const places = values.map(() => '?').join(', ');
      this.#database.prepare(`INSERT OR REPLACE INTO ${into} VALUES (${places})`).run(...values);
    };
    if (table === 'session') put('session', id, FOLDER, now);
    else if (table === 'message') put('message', id, session_id, created, now, text);
    else put('part', id, message_id, session_id, created, now, text);
  }

  remove({ table, id }: Change): void {
    this.#database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
  }

  tidy(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM');
  }

  /** Replaces the file by a copy, as restoring a backup does. */
  replace(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.close();
    copyFileSync(this.file, `${this.file}.copy`);
    renameSync(`${this.file}.copy`, this.file);
    this.#database = new DatabaseSync(this.file);
  }

  close(): void {
    this.#database.close();
  }
}

describe('a database that is changed, replaced and read again', function () {
  this.timeout(60_000);
  const temporary = useTemporaryFolder();

  function follow(file: string) {
    const adapter = adapterOf('opencode')!;
    const merger = new EventMerger();
    const parser = adapter.createParser();
    const events: AgentEvent[] = [];
    const errors: unknown[] = [];
    const tail = new DatabaseTail(file, {
      directory: FOLDER,
      sinceMs: SINCE_MS,
      onRow: (line, timeNs) => {
        for (const event of parser.push(line, timeNs)) events.push(...merger.push(event));
      },
      onOlderRow: () => {},
      onError: (error) => errors.push(error),
    });
    return { tail, events, errors };
  }
  /** Events without their times, which differ when a row is written later. */
  const factsOf = (events: readonly AgentEvent[]) =>
    events.map((event) => eventLine({ ...event, timeNs: 0n })).sort();

  for (const name of ['branching', 'parallel']) {
    it(`opencode, ${name}: the same facts on every reading, none twice`, async () => {
      const changes = changesOf(name);
      const whole = new Writer(path.join(temporary.path, 'whole.db'));
      for (const change of changes) whole.write(change);
      const clean = follow(whole.file);
      await clean.tail.finish();
      whole.close();
      assert.ok(clean.events.length > 4, 'there are events');

      for (let seed = 1; seed <= SEEDS; seed++) {
        const random = new Random(seed);
        const writer = new Writer(path.join(temporary.path, `${seed}.db`));
        const { tail, events, errors } = follow(writer.file);
        for (const [at, change] of changes.entries()) {
          writer.write(change, random.chance(60));
          if (random.chance(60)) await Promise.all([tail.read(), tail.read(), tail.read()]);
          const earlier = changes[random.below(at + 1)]!;
          const isLast = changes.findLastIndex(({ id }) => id === earlier.id) <= at;
          const latest = changes.slice(0, at + 1).findLast(({ id }) => id === earlier.id)!;
          if (random.chance(20)) writer.write(latest);
          else if (random.chance(10) && isLast) {
            writer.remove(latest);
            if (random.chance(50)) await tail.read();
            writer.write(latest);
          } else if (random.chance(10)) writer.tidy();
          else if (random.chance(10)) writer.replace();
        }
        await tail.finish();
        writer.close();
        assert.deepEqual(errors, []);
        assert.deepEqual(factsOf(events), factsOf(clean.events), `seed ${seed}`);
      }
    });
  }
});
