import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { AgentPlace } from '../../common/adapter.ts';
import { claudeProjectName } from '../../adapters/claudeCode.ts';
import { geminiChats } from './geminiProject.ts';
import { importIntoOpencode, removeFromOpencode } from './opencodeImport.ts';
import type { UndoableFiles } from './undoable.ts';

/** Where a new session of an agent has to be for it to be found. */
export interface SessionPlacer {
  newSession(): string;
  /** The files that it consists of, outside of the workspace. */
  files?(request: SessionToPlace): Promise<readonly SessionFile[]>;
  /** Where it is in a database of the agent's own. */
  readonly database?: SessionDatabase;
}

export interface SessionDatabase {
  /** Has the agent take it. What fails, or is cancelled, may have left something all the same. */
  add(request: ImportRequest): Promise<void>;
  /** Has the agent give it back, as far as it is there. @throws UserError when it stays */
  remove(request: ImportRequest): Promise<void>;
}

export interface SessionFile {
  readonly path: string;
  readonly text: string;
}

export interface SessionToPlace {
  readonly session: string;
  readonly lines: readonly string[];
  /** Of the new workspace. */
  readonly place: AgentPlace;
}

export interface ImportRequest extends SessionToPlace {
  /** The agent's program, for what only it can do. */
  readonly program: string;
  /** A private folder that lasts as long as the workspace. */
  readonly folder: string;
  readonly files: UndoableFiles;
  readonly signal: AbortSignal;
}

/** Longer names of project folders are cut, and end in a hash that only the agent knows. */
const MAX_PROJECT_CHARACTERS = 200;

const claudeCode: SessionPlacer = {
  newSession: () => randomUUID(),
  async files({ session, lines, place: { env, home, cwd } }) {
    const projects = path.join(env['CLAUDE_CONFIG_DIR'] || path.join(home, '.claude'), 'projects');
    const folder = path.join(projects, await claudeProjectFolder(projects, cwd));
    return [{ path: path.join(folder, `${session}.jsonl`), text: textOf(lines) }];
  },
};

const codex: SessionPlacer = {
  newSession: () => timedUuid(Date.now()),
  files({ session, lines, place: { env, home } }) {
    const [day = '', time = ''] = localTime(new Date()).split('T');
    const folder = path.join(env['CODEX_HOME'] || path.join(home, '.codex'), 'sessions');
    const name = `rollout-${day}T${time.replaceAll(':', '-')}-${session}.jsonl`;
    const file = path.join(folder, ...day.split('-'), name);
    return Promise.resolve([{ path: file, text: textOf(lines) }]);
  },
};

const gemini: SessionPlacer = {
  newSession: () => randomUUID(),
  async files({ lines, place }) {
    const { chats, owner } = await geminiChats(place);
    const minute = new Date().toISOString().slice(0, 16).replace(':', '-');
    // A session is followed by a nearly empty file with the first letters of its id in its name. When the agent cleans that
    // up it removes every file whose name ends so: ours ends otherwise.
    const name = `session-${minute}-${randomBytes(4).toString('hex')}.jsonl`;
    return [...owner, { path: path.join(chats, name), text: textOf(lines) }];
  },
};

const opencode: SessionPlacer = {
  newSession: () => `ses_${descendingTime(Date.now())}${randomLetters(14)}`,
  database: { add: importIntoOpencode, remove: removeFromOpencode },
};

const copilot: SessionPlacer = {
  newSession: () => randomUUID(),
  files({ session, lines, place: { env, home } }) {
    const folder = path.join(env['COPILOT_HOME'] || path.join(home, '.copilot'), 'session-state');
    const file = path.join(folder, session, 'events.jsonl');
    return Promise.resolve([{ path: file, text: textOf(lines) }]);
  },
};

const PLACERS: Readonly<Record<string, SessionPlacer>> = {
  ...{ claudeCode, codex, gemini, opencode, copilot },
};

export function placerOf(agent: string): SessionPlacer | undefined {
  return PLACERS[agent];
}

/** Letters and digits by chance. */
export function randomLetters(count: number): string {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return [...randomBytes(count)].map((byte) => letters[byte % letters.length]).join('');
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** The agent finds a session by its id in whatever folder of a project it is. */
async function claudeProjectFolder(projects: string, cwd: string): Promise<string> {
  const name = claudeProjectName(cwd);
  if (name.length <= MAX_PROJECT_CHARACTERS) return name;
  const cut = name.slice(0, MAX_PROJECT_CHARACTERS);
  const there = await readdir(projects).catch(() => []);
  return there.find((each) => each.startsWith(`${cut}-`)) ?? `${cut}-ah`;
}

/** Version 7: sorts by time. */
function timedUuid(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Newer ones sort before older ones: the agent's way. */
function descendingTime(ms: number): string {
  const bits = 48n;
  const inverted = ~(BigInt(ms) * 0x1000n) & ((1n << bits) - 1n);
  return inverted.toString(16).padStart(12, '0');
}

function localTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}
