import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { textMover } from '../../trim/movedText.ts';

export interface MovedWorkspace {
  /** Both paths have their symbolic links resolved. */
  readonly from: string;
  readonly to: string;
  /** Replaces the old workspace's path in a text, both as it was given and with links resolved. */
  readonly moved: (text: string) => string;
}

export async function movedWorkspace(workspace: {
  readonly from: string;
  readonly to: string;
}): Promise<MovedWorkspace> {
  const from = await realPath(workspace.from);
  const to = await realPath(workspace.to);
  const moved = textMover([
    { from: workspace.from, to },
    { from, to },
  ]);
  return { from, to, moved };
}

/** Resolves symbolic links, also for a path that doesn't exist yet. */
export async function realPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    // The path doesn't exist: resolve its parent.
    const above = path.dirname(path.resolve(file));
    return above === path.resolve(file)
      ? above
      : path.join(await realPath(above), path.basename(file));
  }
}
