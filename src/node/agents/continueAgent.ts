import path from 'node:path';
import type { AgentAdapter, LaunchAdditions } from '../../agents/adapter.ts';
import { carriedOptions } from '../../agents/commandLine.ts';
import type { Continuation, ContinuationPlan } from '../../agents/continuation.ts';
import { UserError } from '../../base/errors.ts';
import { checkMessage } from '../../branching/branchMessage.ts';
import type { MadeSession } from '../../branching/branchRecord.ts';
import { isOwnFolderFree } from '../branching/branchWorkspace.ts';
import { isWithin } from '../files/isWithin.ts';
import type { ContinueRequest } from './continueRequest.ts';
import { prepareContinuation, restoreFolder, type Prepared } from './prepareContinuation.ts';
import { placerOf } from './placeSession.ts';
import { sourceName } from './sessionMemory.ts';
import { UndoableFiles } from './undoable.ts';

export type { ContinueRequest };

/** How the agent would go on, and what to know before. Writes nothing; the new workspace need not exist yet. */
export async function planContinuation(request: ContinueRequest): Promise<ContinuationPlan> {
  const { method, warnings, details } = await prepareContinuation(request);
  return { method, warnings, details };
}

/**
 * Makes a new session of the agent that knows what the old one knew at the moment, in the new workspace. Nothing of the old
 * one is written. When it throws, or is aborted, nothing is left.
 * @param known what was found out before the workspace was there
 */
export async function continueAgent(
  request: ContinueRequest,
  known?: Prepared,
): Promise<Continuation> {
  const { message, signal } = request;
  checkMessage(message);
  const prepared = known ?? (await prepareContinuation(request));
  signal.throwIfAborted();
  const { program, method, warnings, adapter, trimmed } = prepared;
  const { details } = prepared;
  if (!adapter) {
    const unsent = message === undefined ? {} : { unsentMessage: message };
    const cmd = request.meta.cmd.slice(1);
    return { ...{ program, method, warnings, details, cmd, env: {}, files: [] }, ...unsent, undo };
  }
  const { files, ...launch } = launchOf(request, adapter, prepared);
  const start = { program, method, warnings, ...launch };
  if (!trimmed) return { ...start, details, files: [], undo };
  const made = await makeSession(request, prepared, files);
  return { ...start, details, ...made };
}

async function undo(): Promise<void> {}

function launchOf(
  { meta, message, env, workspace }: ContinueRequest,
  { commandLine, tellFirst }: AgentAdapter,
  { details, trimmed, replay, trust, moved }: Prepared,
): Pick<Continuation, 'cmd' | 'env' | 'unsentMessage'> & Pick<LaunchAdditions, 'files'> {
  const args = meta.cmd.slice(1);
  // Without a message there is nothing to run without a person.
  const text = replay === undefined ? message : replayMessage(replay, message);
  const isHeadless = commandLine.isHeadless(args) && text !== undefined;
  const carried = carriedOptions(commandLine, args, isHeadless).options.map(moved);
  const parts = {
    options: [...carried, ...(isHeadless ? [] : trust.options)],
    ...{ isHeadless, message: text },
    session: trimmed ? details.toSession : undefined,
    lastRecord: trimmed?.lastRecord,
  };
  const launch = { cmd: commandLine.build(parts), env: trust.env, files: [] };
  if (text === undefined || commandLine.takesMessage(parts)) return launch;
  const { session } = parts;
  const folder = restoreFolder(workspace.to, session ?? '');
  const told = session && tellFirst?.({ folder, session, message: text, env });
  if (!told) return { ...launch, unsentMessage: text };
  return { ...launch, env: { ...launch.env, ...told.env }, files: told.files };
}

function replayMessage(replay: string, message: string | undefined): string {
  return `${replay}\n\n${message ?? 'Do nothing yet: the user will say how to go on.'}`;
}

async function makeSession(
  request: ContinueRequest,
  { adapter, trimmed, transcript, place, program, details }: Prepared,
  more: LaunchAdditions['files'],
): Promise<Pick<Continuation, 'files' | 'undo'>> {
  const { workspace, moment, signal } = request;
  if (!(await isOwnFolderFree(workspace.to))) {
    const text =
      'The files of this moment have a link where AH needs the folder .ah, and nothing is written through links.';
    throw new UserError('own-folder-is-link', text);
  }
  const session = details.toSession!;
  let made: MadeSession = {
    ...{ agent: adapter!.agent, session, program, files: [], folders: [] },
  };
  const isOutside = (file: string): boolean => !isWithin(workspace.to, file);
  const files = new UndoableFiles(async (file, folders) => {
    if (!isOutside(file)) return;
    made = { ...made, files: [...made.files, file], folders: [...made.folders, ...folders] };
    await request.willMake?.(made);
  });
  const own = path.join(workspace.to, '.ah');
  const folder = restoreFolder(workspace.to, session);
  let undoMore: (() => Promise<void>) | undefined;
  const undoAll = async (): Promise<void> => {
    await undoMore?.();
    await files.undo();
  };
  const before = transcript!.lines.map((line) => `${line}\n`).join('');
  const { byte, timeNs } = moment;
  const { source } = transcript!;
  const note = { ...details, moment: { byte, timeNs: String(timeNs) }, source };
  const placer = placerOf(adapter!.agent)!;
  const lines = trimmed!.lines;
  const placed = { session, lines, place, program, folder, files, signal };
  const placeIt = async (): Promise<void> => {
    if (placer.isDatabase) await request.willMake?.(made);
    undoMore = (await placer.place(placed)) ?? undefined;
  };
  try {
    await allOf([
      // Nothing of this is the project's.
      files.createIfMissing(path.join(own, '.gitignore'), '*\n'),
      files.create(path.join(folder, sourceName(transcript!)), before),
      files.create(path.join(folder, 'continuation.json'), `${JSON.stringify(note)}\n`),
      ...more.map(({ path: file, text }) => files.create(file, text)),
      placeIt(),
    ]);
    signal.throwIfAborted();
  } catch (error) {
    await undoAll();
    throw error;
  }
  return { files: files.made.filter(isOutside), undo: undoAll };
}

/** Fails when all have come to an end, so that nobody is still writing when what was made is taken back. */
async function allOf(tasks: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}
