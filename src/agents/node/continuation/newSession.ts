import path from 'node:path';
import type { LaunchAdditions } from '../../common/adapter.ts';
import { UserError } from '../../../base/errors.ts';
import type { CopiedAgentSession } from '../../../branching/common/branchRecord.ts';
import { isOwnFolderFree } from '../../../branching/node/branchWorkspace.ts';
import { isWithin } from '../../../platform/node/files/isWithin.ts';
import type { ContinueRequest } from './continueRequest.ts';
import {
  placerOf,
  type SessionFile,
  type SessionPlacer,
  type SessionToPlace,
} from './placeSession.ts';
import { restoreFolder, type Prepared } from './prepareContinuation.ts';
import { sourceName } from './sessionMemory.ts';
import { missingFolders, UndoableFiles } from './undoable.ts';

/** A session of the agent's that is made of another one: its own files where the agent looks for them, ours in the workspace. */
export class NewSession {
  readonly #request: ContinueRequest;
  readonly #prepared: Prepared;
  readonly #more: LaunchAdditions['files'];
  readonly #placer: SessionPlacer;
  readonly #files = new UndoableFiles();
  #outside: readonly SessionFile[] = [];
  #undoImport: (() => Promise<void>) | undefined;

  /** @param more files that are to be there when it starts */
  constructor(request: ContinueRequest, prepared: Prepared, more: LaunchAdditions['files']) {
    this.#request = request;
    this.#prepared = prepared;
    this.#more = more;
    this.#placer = placerOf(prepared.adapter!.agent)!;
  }

  /** Files that were made outside of the workspace. */
  get outside(): string[] {
    return this.#files.made.filter((file) => this.#isOutside(file));
  }

  /** What is going to be made outside of the workspace, for whoever has to know that before: a kill leaves nothing else. */
  async foresee(): Promise<CopiedAgentSession> {
    this.#outside = (await this.#placer.files?.(this.#toPlace)) ?? [];
    const { adapter, program } = this.#prepared;
    const files = this.#outside.map((file) => file.path);
    const folders = new Set(files.flatMap((file) => missingFolders(path.dirname(file))));
    const { session } = this.#toPlace;
    return { agent: adapter!.agent, session, program, files, folders: [...folders] };
  }

  /** What needs no workspace, as it was foreseen. A database is told by the agent's program, which needs one. */
  async placeOutside(): Promise<void> {
    for (const { path: file, text } of this.#outside) {
      this.#request.signal.throwIfAborted();
      await this.#files.create(file, text);
    }
  }

  /** The rest, when the workspace is there. */
  async complete(): Promise<void> {
    const { workspace, signal } = this.#request;
    if (!isOwnFolderFree(workspace.to)) {
      const text =
        'The files of this moment have a link or a file where AH needs the folder .ah. Nothing is written through links.';
      throw new UserError('own-folder-is-link', text);
    }
    await allOf([...this.#notes(), this.#import()]);
    signal.throwIfAborted();
  }

  /** Nobody may be at work on it. */
  async undo(): Promise<void> {
    await this.#undoImport?.();
    this.#undoImport = undefined;
    await this.#files.undo();
  }

  /** What it was made of, whole, for whoever wants to know. */
  #notes(): Promise<void>[] {
    const { workspace } = this.#request;
    const transcript = this.#prepared.transcript!;
    const before = transcript.lines.map((line) => `${line}\n`).join('');
    return [
      // Nothing of this is the project's.
      this.#files.createIfMissing(path.join(workspace.to, '.ah', '.gitignore'), '*\n'),
      this.#files.create(path.join(this.#folder, sourceName(transcript)), before),
      ...this.#more.map(({ path: file, text }) => this.#files.create(file, text)),
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
    const { trimmed, place, details } = this.#prepared;
    return { session: details.toSession!, lines: trimmed!.lines, place };
  }

  get #folder(): string {
    return restoreFolder(this.#request.workspace.to, this.#toPlace.session);
  }

  #isOutside(file: string): boolean {
    return !isWithin(this.#request.workspace.to, file);
  }
}

/** Fails when all have come to an end, so that nobody is still writing when what was made is taken back. */
async function allOf(tasks: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}
