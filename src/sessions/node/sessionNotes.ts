import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Sequencer } from '../../base/sequencer.ts';
import { replaceFile } from '../../platform/node/files/atomicFile.ts';

/** How many files differ between the first and the last snapshot of a session. */
export interface ChangedFiles {
  /** Numbers of the compared snapshots, in decimal. */
  readonly first: string;
  readonly last: string;
  readonly count: number;
}

/**
 * `session.notes.json`: what users and editors store about a session. It is a separate file,
 * because only the recorder may write `session.meta.json` while it runs.
 */
export interface SessionNotes {
  /** The name given by the user. */
  readonly name?: string;
  /** ID of a known agent. */
  readonly agent?: string;
  /** The workspace that was open in the window that started the session. */
  readonly workspace?: string;
  /** Workspaces whose windows showed the session last, and will show it again. */
  readonly shownIn?: readonly string[];
  /** The session's terminal was the active one. */
  readonly isInFront?: boolean;
  /** The timeline has opened beside the terminal once; from then on the user decides. */
  readonly hasShownTimeline?: boolean;
  /**
   * The user was warned that snapshots are missing: the folder, such as the home folder, is too
   * large, or AH can't follow the commands of the shell.
   */
  readonly hasWarnedTooWide?: boolean;
  /** Capture is paused: only the terminal is recorded until the user resumes capture. */
  readonly isCaptureOff?: boolean;
  /** Listed at the top, and not deleted by age. */
  readonly isPinned?: boolean;
  /** Listed at the bottom, out of the way. */
  readonly isArchived?: boolean;
  /** The session ended while the user was not looking at it. */
  readonly isUnread?: boolean;
  /** How many files the ended session changed. */
  readonly changedFiles?: ChangedFiles;
  /** The recording is paused: nothing is stored until the user resumes it. */
  readonly isPaused?: boolean;
  /** Numbers of snapshots that the user has pinned. */
  readonly pinnedSnapshots?: readonly string[];
}

const FILE = 'session.notes.json';

/** Missing or damaged notes count as not set. */
export async function readSessionNotes(folder: string): Promise<SessionNotes> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path.join(folder, FILE), 'utf8'));
  } catch {
    return {}; // Most sessions have no notes.
  }
  if (typeof value !== 'object' || value === null) return {};
  const notes = value as Record<string, unknown>;
  const { name, agent, workspace, shownIn, isInFront, isCaptureOff, pinnedSnapshots } = notes;
  const { hasShownTimeline, hasWarnedTooWide, isPinned, isArchived, isUnread, changedFiles } =
    notes;
  const { isPaused } = notes;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof agent === 'string' && { agent }),
    ...(typeof workspace === 'string' && { workspace }),
    ...(isTexts(shownIn) && { shownIn }),
    ...(typeof isInFront === 'boolean' && { isInFront }),
    ...(typeof hasShownTimeline === 'boolean' && { hasShownTimeline }),
    ...(typeof hasWarnedTooWide === 'boolean' && { hasWarnedTooWide }),
    ...(typeof isPinned === 'boolean' && { isPinned }),
    ...(typeof isArchived === 'boolean' && { isArchived }),
    ...(typeof isUnread === 'boolean' && { isUnread }),
    ...(isChangedFiles(changedFiles) && { changedFiles }),
    ...(typeof isCaptureOff === 'boolean' && { isCaptureOff }),
    ...(typeof isPaused === 'boolean' && { isPaused }),
    ...(isTexts(pinnedSnapshots) && { pinnedSnapshots }),
  };
}

/**
 * Makes one change at a time: otherwise, a change made between reading and writing would be lost.
 */
const sequencer = new Sequencer();

/**
 * Changes the given notes and keeps the others.
 * @param change the new values, or a function that computes them from the current notes
 */
export function changeSessionNotes(
  folder: string,
  change: SessionNotes | ((notes: SessionNotes) => SessionNotes),
): Promise<SessionNotes> {
  return sequencer.queue(async () => {
    const before = await readSessionNotes(folder);
    const notes = { ...before, ...(typeof change === 'function' ? change(before) : change) };
    await replaceFile(path.join(folder, FILE), `${JSON.stringify(notes)}\n`);
    return notes;
  });
}

function isChangedFiles(value: unknown): value is ChangedFiles {
  if (typeof value !== 'object' || value === null) return false;
  const { first, last, count } = value as Record<string, unknown>;
  return typeof first === 'string' && typeof last === 'string' && Number.isInteger(count);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
