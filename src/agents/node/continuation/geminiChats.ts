import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentPlace } from '../../common/adapter.ts';
import { fieldsOf, parseFields } from '../../common/untrusted.ts';
import type { SessionFile } from './sessionPlacer.ts';

/** The owner file: it has the path of the project that a folder belongs to. */
const OWNER = '.project_root';
/** Limits the numbers that distinguish projects with the same name. */
const MAX_SAME_NAMES = 1000;

interface GeminiChats {
  /** The folder of the chats. */
  readonly chats: string;
  /** The owner file to create when the project has no folder yet. */
  readonly owner: readonly SessionFile[];
}

/**
 * Finds where Gemini CLI looks for the chats of a project. Gemini CLI gives each project a folder
 * with an owner file; for a new project, the result names the owner file to create. Gemini CLI's
 * own list of projects stays unchanged.
 */
export async function geminiChats({ env, home, cwd }: AgentPlace): Promise<GeminiChats> {
  const root = path.join(env['GEMINI_CLI_HOME'] || home, '.gemini');
  const projects = path.join(root, 'tmp');
  const stores = [projects, path.join(root, 'history')];
  const known = await knownNames(root);
  const own = known.get(cwd) ?? (await ownedName(stores, cwd));
  if (own !== undefined && (await isFree(stores, own, cwd)))
    return { chats: path.join(projects, own, 'chats'), owner: [] };
  const taken = new Set(known.values());
  for (let count = 0; count < MAX_SAME_NAMES; count++) {
    const name = count === 0 ? projectName(cwd) : `${projectName(cwd)}-${count}`;
    if (taken.has(name) || !(await isFree(stores, name, cwd))) continue;
    const folder = path.join(projects, name);
    const owner = [{ path: path.join(folder, OWNER), text: cwd }];
    return { chats: path.join(folder, 'chats'), owner };
  }
  throw new Error(`Gemini CLI has too many projects named ${projectName(cwd)}.`);
}

async function knownNames(root: string): Promise<Map<string, string>> {
  // The file is missing before the agent's first start.
  const text = await readFile(path.join(root, 'projects.json'), 'utf8').catch(() => '');
  const projects = Object.entries(fieldsOf(parseFields(text.replace(/\n/g, ' '))?.['projects']));
  return new Map(
    projects.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

async function ownedName(stores: readonly string[], cwd: string): Promise<string | undefined> {
  for (const store of stores) {
    // The folder is missing before the agent's first start.
    for (const name of await readdir(store).catch(() => [])) {
      if ((await ownerOf(store, name)) === cwd) return name;
    }
  }
  return undefined;
}

async function isFree(stores: readonly string[], name: string, cwd: string): Promise<boolean> {
  const owners = await Promise.all(stores.map((store) => ownerOf(store, name)));
  return owners.every((owner) => owner === undefined || owner === cwd);
}

async function ownerOf(store: string, name: string): Promise<string | undefined> {
  // A folder without this file has no owner.
  const text = await readFile(path.join(store, name, OWNER), 'utf8').catch(() => undefined);
  return text?.trim();
}

function projectName(cwd: string): string {
  const name = path
    .basename(cwd)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-');
  return name.replace(/-+/g, '-').replace(/^-|-$/g, '') || 'project';
}
