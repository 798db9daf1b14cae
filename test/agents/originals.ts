import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Files that SQLite writes on every read, and logs of agents. */
const NOT_COMPARED = /\.(?:db|sqlite)(?:-shm|-wal)?$|(?:^|\/)log(?:s)?\/|\.log$/;
const SESSIONS =
  /^(?:\.claude\/projects|\.codex\/sessions|\.gemini\/tmp\/[^/]+\/chats|\.copilot\/session-state)\//;

/** The hash of each file in an agent's home. */
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

/** Asserts that all earlier files are unchanged; new files are fine. */
export function sameFiles(
  now: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): void {
  for (const [name, hash] of Object.entries(before)) assert.equal(now[name], hash, name);
}

/** The rows of opencode's earlier sessions, or of all sessions. */
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

/** Files of git's worktrees and the extension's own references, which are not the user's. */
const OTHERS = new Set(['.git/worktrees', '.git/refs/ah']);

/** The hash of each file below a folder, and the targets of links. */
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
