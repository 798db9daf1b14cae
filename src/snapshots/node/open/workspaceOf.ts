import { existsSync } from 'node:fs';
import path from 'node:path';

/** Returns the workspace of a folder: the repository that contains it, else the folder itself. */
export function workspaceOf(folder: string): string {
  for (let above = folder; ; above = path.dirname(above)) {
    if (existsSync(path.join(above, '.git'))) return above;
    if (above === path.dirname(above)) return folder;
  }
}
