import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { BranchRecord } from '../../branching/common/branchRecord.ts';
import { BranchRegistry } from '../../branching/node/branchRegistry.ts';
import { BRANCH_FOLDER } from '../../agents/node/continuation/ownFolder.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';

/**
 * All of the extension's own files that may contain a text of a session, except the recording: the
 * session's folder, the records of branches, which contain their first prompts, and the agents'
 * memory in branches.
 */
export async function ownFiles({ folder, meta }: CataloguedSession): Promise<string[]> {
  const registry = new BranchRegistry();
  const records = await registry.list();
  const workspaces = [meta.workspace ?? meta.cwd, ...records.flatMap(placesOf)];
  const files = [...(await filesIn(folder)), ...(await filesIn(registry.folder))];
  for (const workspace of new Set(workspaces)) files.push(...(await branchFiles(workspace)));
  return [...new Set(files)].filter((file) => file !== meta.recording);
}

/**
 * The copied agent sessions of branches, in the agents' own folders, where agents may still write.
 */
export async function copiedAgentFiles(): Promise<string[]> {
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

/** Doesn't follow links, since the files of a branch are untrusted. */
async function branchFiles(workspace: string): Promise<string[]> {
  const own = path.join(workspace, BRANCH_FOLDER);
  if (!(await kindOf(own))?.isDirectory()) return [];
  const record = path.join(own, 'branch.json');
  const restored = path.join(own, 'restore');
  return [
    ...((await kindOf(record))?.isFile() ? [record] : []),
    ...((await kindOf(restored))?.isDirectory() ? await filesIn(restored) : []),
  ];
}

/** Undefined if the path does not exist or can't be read. */
function kindOf(place: string) {
  return lstat(place).catch(() => undefined);
}

/** All files of a folder and its subfolders; none when the folder is missing. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
