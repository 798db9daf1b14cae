// Runs `import FILE` and `session delete ID` like opencode, but slowly. Writes to the folder `STAND_IN`
// when it starts; a file `refuses` there makes it refuse to delete.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Enough time for a test to see the start and to cancel. */
const IMPORT_MS = 1_500;

const signs = process.env['STAND_IN']!;
const data = path.join(process.env['HOME']!, '.local/share/opencode');
mkdirSync(data, { recursive: true });
const database = new DatabaseSync(path.join(data, 'opencode.db'));
database.exec(`PRAGMA journal_mode=WAL;
  CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
  CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);`);

const [command, ...rest] = process.argv.slice(2);
if (command === 'import') {
  const { info } = JSON.parse(readFileSync(rest[0]!, 'utf8')) as { info: { id: string } };
  writeFileSync(path.join(signs, 'begun'), '');
  await sleep(IMPORT_MS);
  database.prepare('INSERT INTO session VALUES (?)').run(info.id);
  console.log(`Imported session: ${info.id}`);
} else if (existsSync(path.join(signs, 'refuses'))) {
  console.error('Error: database is locked');
  process.exitCode = 1;
} else {
  database.prepare('DELETE FROM session WHERE id = ?').run(rest[1]!);
}
database.close();
