import type { AgentPlace } from '../../common/adapter.ts';
import type { UndoableFiles } from './undoableFiles.ts';

/** How an agent's new session is stored so that the agent finds it. */
export interface SessionPlacer {
  newSessionId(): string;
  /** The files of the session, outside the workspace. */
  files?(request: SessionToPlace): Promise<readonly SessionFile[]>;
  /** For agents that store sessions in a database. */
  readonly database?: SessionDatabase;
}

export interface SessionDatabase {
  /** Has the agent import the session. A failed or cancelled import may leave parts of it. */
  add(request: ImportRequest): Promise<void>;
  /**
   * Has the agent delete the session, if the database has any part of it. @throws UserError when it
   * remains
   */
  remove(request: ImportRequest): Promise<void>;
}

export interface SessionFile {
  readonly path: string;
  readonly text: string;
}

export interface SessionToPlace {
  readonly session: string;
  readonly lines: readonly string[];
  /** The agent's environment, home and folder in the new workspace. */
  readonly place: AgentPlace;
}

export interface ImportRequest extends SessionToPlace {
  /** The agent's program, which imports and deletes sessions. */
  readonly program: string;
  /** A private folder that exists as long as the workspace. */
  readonly folder: string;
  readonly files: UndoableFiles;
  readonly signal: AbortSignal;
}
