import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Files that mark a folder with absolute paths: a Python environment, a CMake build. */
export const MARKERS: readonly string[] = ['pyvenv.cfg', 'CMakeCache.txt'];

/**
 * The marker file of a folder that contains its own absolute path; undefined for other folders.
 * Programs run from a copy of such a folder work in the original.
 */
export async function nonRelocatableMarker(folder: string): Promise<string | undefined> {
  const found = await Promise.all(
    MARKERS.map((name) =>
      stat(path.join(folder, name)).then(
        (stats) => stats.isFile(),
        () => false, // No such file.
      ),
    ),
  );
  return MARKERS[found.indexOf(true)];
}

/**
 * Non-relocatable folders at the top level of a workspace. Searching all folders would take too
 * long.
 */
export async function nonRelocatableFoldersIn(
  workspace: string,
): Promise<{ readonly name: string; readonly marker: string }[]> {
  const entries = await readdir(workspace, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found = await Promise.all(
    folders.map(async (name) => ({
      name,
      marker: await nonRelocatableMarker(path.join(workspace, name)),
    })),
  );
  return found.flatMap(({ name, marker }) => (marker === undefined ? [] : [{ name, marker }]));
}
