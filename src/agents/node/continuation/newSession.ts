import path from 'node:path';
import type { LaunchAdditions } from '../../common/adapter.ts';
import { UserError } from '../../../base/errors.ts';
import type { CopiedAgentSession } from '../../../branching/common/branchRecord.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import type { ContinueRequest } from './continueRequest.ts';
import { BRANCH_FOLDER, isBranchFolderWritable } from './ownFolder.ts';
import { placerOf } from './sessionPlacers.ts';
import { restoreFolder, type Prepared, type ResumedSession } from './prepareContinuation.ts';
import { sourceName } from './sessionMemory.ts';
import type { SessionFile, SessionPlacer, SessionToPlace } from './sessionPlacer.ts';
import { missingFolders, UndoableFiles } from './undoableFiles.ts';

/**
 * Creates the trimmed copy of an agent's session: files where the agent looks for sessions, and
 * notes in the workspace.
 */
export class NewSession {
  readonly #request: ContinueRequest;
  readonly #prepared: Prepared;
  readonly #resumed: ResumedSession;
  readonly #launchFiles: LaunchAdditions['files'];
  readonly #placer: SessionPlacer;
  readonly #files = new UndoableFiles();
  #outside: readonly SessionFile[] = [];
  #undoImport: (() => Promise<void>) | undefined;

  /** @param launchFiles files that the launch needs */
  constructor(
    request: ContinueRequest,
    prepared: Prepared,
    resumed: ResumedSession,
    launchFiles: LaunchAdditions['files'],
  ) {
    this.#request = request;
    this.#prepared = prepared;
    this.#resumed = resumed;
    this.#launchFiles = launchFiles;
    this.#placer = placerOf(resumed.adapter);
  }

  /** The files created outside the workspace. */
  get outside(): string[] {
    return this.#files.created.filter((file) => this.#isOutside(file));
  }

  /**
   * Plans the files outside the workspace. The caller records them before they exist, in case this
   * process is killed.
   */
  async planOutside(): Promise<CopiedAgentSession> {
    this.#outside = (await this.#placer.files?.(this.#toPlace)) ?? [];
    const { program } = this.#prepared;
    const { adapter, session } = this.#resumed;
    const files = this.#outside.map((file) => file.path);
    const folders = new Set(files.flatMap((file) => missingFolders(path.dirname(file))));
    return { agent: adapter.agent, session, program, files, folders: [...folders] };
  }

  /**
   * Creates the planned files. An import into a database comes later, since the agent runs it in
   * the workspace.
   */
  async createOutside(): Promise<void> {
    for (const { path: file, text } of this.#outside) {
      this.#request.signal.throwIfAborted();
      await this.#files.create(file, text);
    }
  }

  /** Creates the notes and runs the import, which needs the workspace. */
  async complete(): Promise<void> {
    const { workspace, signal } = this.#request;
    if (!isBranchFolderWritable(workspace.to)) {
      const text =
        "Can't create the folder .ah: the files of this moment have a link or a file with that name. Choose another moment.";
      throw new UserError('own-folder-is-link', text);
    }
    await allOf([...this.#notes(), this.#import()]);
    signal.throwIfAborted();
  }

  /** Removes everything created so far. No other step may be running. */
  async undo(): Promise<void> {
    await this.#undoImport?.();
    this.#undoImport = undefined;
    await this.#files.undo();
  }

  /**
   * Writes the untrimmed transcript as far as it was recorded, for reference, and the launch's
   * files.
   */
  #notes(): Promise<void>[] {
    const { workspace } = this.#request;
    const { transcript } = this.#resumed;
    const before = transcript.recorded.map((line) => `${line}\n`).join('');
    return [
      // This file keeps the folder out of the project's git status.
      this.#files.createIfMissing(path.join(workspace.to, BRANCH_FOLDER, '.gitignore'), '*\n'),
      this.#files.create(path.join(this.#folder, sourceName(transcript)), before),
      ...this.#launchFiles.map(({ path: file, text }) => this.#files.create(file, text)),
    ];
  }

  async #import(): Promise<void> {
    const { database } = this.#placer;
    if (!database) return;
    const { signal } = this.#request;
    const { program } = this.#prepared;
    const request = { ...this.#toPlace, program, folder: this.#folder, files: this.#files, signal };
    this.#undoImport = () => database.remove(request);
    await database.add(request);
  }

  get #toPlace(): SessionToPlace {
    const { session, trimmed } = this.#resumed;
    return { session, lines: trimmed.lines, place: this.#prepared.place };
  }

  get #folder(): string {
    return restoreFolder(this.#request.workspace.to, this.#resumed.session);
  }

  #isOutside(file: string): boolean {
    return !isWithin(this.#request.workspace.to, file);
  }
}

/** Rejects only after all tasks have ended, so that undo doesn't run beside a writing task. */
async function allOf(tasks: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}
