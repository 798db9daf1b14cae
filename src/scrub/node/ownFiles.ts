import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { BRANCH_FOLDER } from '../../branching/node/branchWorkspace.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';

/**
 * All files of ours but the recording that may hold a text of a session: what is beside it, what is known of branches, which
 * says their first prompt and maybe more, and in the branches themselves what their agents' memory was made of.
 */
export async function ownFiles({ folder, meta }: CataloguedSession): Promise<string[]> {
  const registry = new BranchRegistry();
  const records = await registry.list();
  const workspaces = [meta.workspace ?? meta.cwd, ...records.flatMap(placesOf)];
  const files = [...(await filesIn(folder)), ...(await filesIn(registry.folder))];
  for (const workspace of new Set(workspaces)) files.push(...(await branchFiles(workspace)));
  return [...new Set(files)].filter((file) => file !== meta.recording);
}

/** Sessions of agents that were made for branches, where the agents look for them. They go on writing there. */
export async function madeFiles(): Promise<string[]> {
  const records = await new BranchRegistry().list();
  const files: string[] = [];
  for (const file of records.flatMap(({ made }) => made?.files ?? [])) {
    if ((await kindOf(file))?.isFile()) files.push(file);
  }
  return files;
}

function placesOf({ workspace, destination, from }: BranchRecord): string[] {
  return [workspace, destination, from.workspace];
}

/** Never through a link: the files of a branch may hold anything. */
async function branchFiles(workspace: string): Promise<string[]> {
  const own = path.join(workspace, BRANCH_FOLDER);
  if (!(await kindOf(own))?.isDirectory()) return [];
  const said = path.join(own, 'branch.json');
  const restored = path.join(own, 'restore');
  return [
    ...((await kindOf(said))?.isFile() ? [said] : []),
    ...((await kindOf(restored))?.isDirectory() ? await filesIn(restored) : []),
  ];
}

function kindOf(place: string) {
  return lstat(place).catch(() => undefined);
}

export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
