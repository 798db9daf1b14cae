import { realpath } from 'node:fs/promises';
import type { AgentEvent } from '../../../agents/common/events/events.ts';
import { readSessionMeta } from '../../../sessions/node/sessionMeta.ts';
import { relativeTo } from '../../../snapshots/common/posixPath.ts';

/** Before a path, there must be the start of a word, an argument or a quotation. */
const BEFORE_PATH = '(?<![^\\s"\'`(=:,;|&<>{[])';
/** After the folder, there must be a file name: a path to the folder itself is not shortened. */
const AFTER_FOLDER = '/(?=[^\\s"\'`)])';

/** Shows paths in the session's folders as the user knows them: `src/a.ts`. */
export class SessionPaths {
  /**
   * The deepest folder comes first, so that a path is shown relative to the working folder, not to
   * the workspace.
   */
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = [...new Set(folders)]
      .filter((folder) => folder.length > 1)
      .sort((a, b) => b.length - a.length);
  }

  path(path: string): string {
    for (const folder of this.#folders) {
      const relative = relativeTo(folder, path);
      if (relative) return relative;
    }
    return path;
  }

  /** Shortens the paths in a text, such as a command. */
  text(text: string): string {
    return this.#folders.reduce((shown, folder) => {
      if (!shown.includes(folder)) return shown;
      return shown.replace(new RegExp(BEFORE_PATH + escaped(folder) + AFTER_FOLDER, 'g'), '');
    }, text);
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * The folders that the session and its agent name, with links resolved or not. An agent that
 * continues another session still names that session's folder, so the agent's reports count too.
 */
export async function sessionPathsOf(
  sessionFolder: string,
  events: readonly AgentEvent[],
): Promise<SessionPaths> {
  // A recording outside of a session folder has no metadata.
  const meta = await readSessionMeta(sessionFolder).catch(() => undefined);
  const own = [meta?.cwd, meta?.workspace].filter((folder) => folder !== undefined);
  // The folder of a discarded branch is gone, so its links cannot be resolved.
  const real = await Promise.all(own.map((folder) => realpath(folder).catch(() => folder)));
  const reported = events.flatMap((event) =>
    event.kind === 'session.started' && event.cwd !== undefined ? [event.cwd] : [],
  );
  return new SessionPaths([...own, ...real, ...reported]);
}
