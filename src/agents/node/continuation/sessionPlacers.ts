import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { AgentAdapter } from '../../common/adapter.ts';
import { claudeProjectName, MAX_CLAUDE_PROJECT_CHARACTERS } from '../../adapters/claudeCode.ts';
import { geminiChats } from './geminiChats.ts';
import { importIntoOpencode, removeFromOpencode } from './opencodeImport.ts';
import type { SessionPlacer } from './sessionPlacer.ts';

const claudeCode: SessionPlacer = {
  newSessionId: () => randomUUID(),
  async files({ session, lines, place: { env, home, cwd } }) {
    const projects = path.join(env['CLAUDE_CONFIG_DIR'] || path.join(home, '.claude'), 'projects');
    const folder = path.join(projects, await claudeProjectFolder(projects, cwd));
    return [{ path: path.join(folder, `${session}.jsonl`), text: textOf(lines) }];
  },
};

const codex: SessionPlacer = {
  newSessionId: () => timedUuid(Date.now()),
  files({ session, lines, place: { env, home } }) {
    const [day = '', time = ''] = localTime(new Date()).split('T');
    const folder = path.join(env['CODEX_HOME'] || path.join(home, '.codex'), 'sessions');
    const name = `rollout-${day}T${time.replaceAll(':', '-')}-${session}.jsonl`;
    const file = path.join(folder, ...day.split('-'), name);
    return Promise.resolve([{ path: file, text: textOf(lines) }]);
  },
};

const gemini: SessionPlacer = {
  newSessionId: () => randomUUID(),
  async files({ lines, place }) {
    const { chats, owner } = await geminiChats(place);
    const minute = new Date().toISOString().slice(0, 16).replace(':', '-');
    // The agent creates a nearly empty file named after the start of the session's ID, and later
    // deletes every file whose name ends the same way. A random ending protects this file.
    const name = `session-${minute}-${randomBytes(4).toString('hex')}.jsonl`;
    return [...owner, { path: path.join(chats, name), text: textOf(lines) }];
  },
};

const opencode: SessionPlacer = {
  newSessionId: () => `ses_${descendingTime(Date.now())}${randomLetters(14)}`,
  database: { add: importIntoOpencode, remove: removeFromOpencode },
};

const copilot: SessionPlacer = {
  newSessionId: () => randomUUID(),
  files({ session, lines, place: { env, home } }) {
    const folder = path.join(env['COPILOT_HOME'] || path.join(home, '.copilot'), 'session-state');
    const file = path.join(folder, session, 'events.jsonl');
    return Promise.resolve([{ path: file, text: textOf(lines) }]);
  },
};

const PLACERS: Readonly<Record<string, SessionPlacer>> = {
  claudeCode,
  codex,
  gemini,
  opencode,
  copilot,
};

export function placerOf({ agent }: AgentAdapter): SessionPlacer {
  const placer = PLACERS[agent];
  if (!placer) throw new Error(`Sessions of the agent ${agent} can't be created.`);
  return placer;
}

/** Random letters and digits. */
export function randomLetters(count: number): string {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return [...randomBytes(count)].map((byte) => letters[byte % letters.length]).join('');
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * A long name ends with a hash that is unknown here, so the folder may be another one: the agent
 * finds a session by its ID in any folder.
 */
async function claudeProjectFolder(projects: string, cwd: string): Promise<string> {
  const name = claudeProjectName(cwd);
  if (name.length <= MAX_CLAUDE_PROJECT_CHARACTERS) return name;
  const cut = name.slice(0, MAX_CLAUDE_PROJECT_CHARACTERS);
  // The folder is missing before the agent's first start.
  const names = await readdir(projects).catch(() => []);
  return names.find((each) => each.startsWith(`${cut}-`)) ?? `${cut}-ah`;
}

/** A UUID of version 7, which sorts by time. */
function timedUuid(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}

/** opencode's session IDs sort newer sessions first. */
function descendingTime(ms: number): string {
  const bits = 48n;
  const inverted = ~(BigInt(ms) * 0x1000n) & ((1n << bits) - 1n);
  return inverted.toString(16).padStart(12, '0');
}

function localTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}
