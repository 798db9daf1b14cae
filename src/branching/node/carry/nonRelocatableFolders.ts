import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** In folders that have their own place written into them: a Python environment, what CMake builds in. */
export const MARKERS: readonly string[] = ['pyvenv.cfg', 'CMakeCache.txt'];

/**
 * What says that a folder has its own place written into it, if so: programs that are run from a copy of it work where it came
 * from.
 * @returns the name of a file in it
 */
export async function nonRelocatableMarker(folder: string): Promise<string | undefined> {
  const found = await Promise.all(
    MARKERS.map((name) =>
      stat(path.join(folder, name)).then(
        (stats) => stats.isFile(),
        () => false,
      ),
    ),
  );
  return MARKERS[found.indexOf(true)];
}

/** Those right in a workspace, where people have them; to look everywhere would take longer than to make a branch. */
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
