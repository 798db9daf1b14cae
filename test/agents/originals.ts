import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Written by SQLite whenever somebody looks, and by an agent's log of itself. */
const NOT_COMPARED = /\.(?:db|sqlite)(?:-shm|-wal)?$|(?:^|\/)log(?:s)?\/|\.log$/;
const SESSIONS =
  /^(?:\.claude\/projects|\.codex\/sessions|\.gemini\/tmp\/[^/]+\/chats|\.copilot\/session-state)\//;

/** A hash per file of an agent's home. */
export function agentFiles(
  home: string,
  which: 'all' | 'sessions' = 'all',
): Record<string, string> {
  const files = treeOf(home);
  return Object.fromEntries(
    Object.entries(files).filter(
      ([name]) => !NOT_COMPARED.test(name) && (which === 'all' || SESSIONS.test(name)),
    ),
  );
}

/** New files are no harm; those that were there are as they were. */
export function sameFiles(
  now: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): void {
  for (const [name, hash] of Object.entries(before)) assert.equal(now[name], hash, name);
}

/** The rows of opencode's sessions that were there before, or of all there are. */
export function sessionRows(
  home: string,
  only?: Readonly<Record<string, string>>,
): Record<string, string> {
  const file = path.join(home, '.local/share/opencode/opencode.db');
  if (!existsSync(file)) return {};
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = ['session', 'message', 'part'].flatMap((table) =>
      database
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row): [string, string] => [`${table} ${String(row['id'])}`, JSON.stringify(row)]),
    );
    return Object.fromEntries(rows.filter(([name]) => !only || name in only));
  } finally {
    database.close();
  }
}

/** Not the user's: what git keeps of the working trees of others, and the references that we say we make. */
const OTHERS = new Set(['.git/worktrees', '.git/refs/ah']);

/** A hash per file below a folder, links by their targets. */
export function treeOf(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  const walk = (below: string): void => {
    for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
      const name = path.join(below, entry.name);
      if (OTHERS.has(name)) continue;
      const full = path.join(folder, name);
      if (entry.isDirectory()) walk(name);
      else if (entry.isSymbolicLink()) files[name] = `-> ${readlinkSync(full)}`;
      else if (entry.isFile())
        files[name] = createHash('sha256').update(readFileSync(full)).digest('hex');
    }
  };
  walk('');
  return files;
}
