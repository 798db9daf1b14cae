import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder whose files belong together with work in `folder`: the repository that holds it, else the folder itself. */
export function workspaceOf(folder: string): string {
  for (let above = folder; ; above = path.dirname(above)) {
    if (existsSync(path.join(above, '.git'))) return above;
    if (above === path.dirname(above)) return folder;
  }
}
