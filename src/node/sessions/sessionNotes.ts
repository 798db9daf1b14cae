import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../files/atomicFile.ts';

/**
 * `session.notes.json`: what people and editors say of a session. Apart from `session.meta.json`, which belongs to the
 * recorder for as long as it runs.
 */
export interface SessionNotes {
  /** Given by a person. */
  readonly name?: string;
  /** Id of a known agent. */
  readonly agent?: string;
  /** The workspace whose windows show it. */
  readonly workspace?: string;
  /** A window showed it when last heard of, and shows it again when it comes back. */
  readonly isShown?: boolean;
  /** Its terminal was the one in front. */
  readonly isInFront?: boolean;
  /** Nothing but its terminal is kept, until somebody turns it on again. */
  readonly isCaptureOff?: boolean;
  /** Numbers of snapshots that a person wants kept. */
  readonly pinnedSnapshots?: readonly string[];
}

const FILE = 'session.notes.json';

/** What is missing or damaged counts as not said. */
export async function readSessionNotes(folder: string): Promise<SessionNotes> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path.join(folder, FILE), 'utf8'));
  } catch {
    return {};
  }
  if (typeof value !== 'object' || value === null) return {};
  const notes = value as Record<string, unknown>;
  const { name, agent, workspace, isShown, isInFront, isCaptureOff, pinnedSnapshots } = notes;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof agent === 'string' && { agent }),
    ...(typeof workspace === 'string' && { workspace }),
    ...(typeof isShown === 'boolean' && { isShown }),
    ...(typeof isInFront === 'boolean' && { isInFront }),
    ...(typeof isCaptureOff === 'boolean' && { isCaptureOff }),
    ...(isTexts(pinnedSnapshots) && { pinnedSnapshots }),
  };
}

/** Changes some of the notes and leaves the others. */
export async function changeSessionNotes(
  folder: string,
  changes: SessionNotes,
): Promise<SessionNotes> {
  const notes = { ...(await readSessionNotes(folder)), ...changes };
  await replaceFile(path.join(folder, FILE), `${JSON.stringify(notes)}\n`);
  return notes;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
