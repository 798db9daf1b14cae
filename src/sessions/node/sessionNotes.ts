import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Sequencer } from '../../base/sequencer.ts';
import { replaceFile } from '../../platform/node/files/atomicFile.ts';

/**
 * `session.notes.json`: what people and editors say of a session. Apart from `session.meta.json`, which belongs to the
 * recorder for as long as it runs.
 */
export interface SessionNotes {
  /** Given by a person. */
  readonly name?: string;
  /** Id of a known agent. */
  readonly agent?: string;
  /** The workspace that it was recorded in. */
  readonly workspace?: string;
  /** The workspaces whose windows showed it when last heard of, and show it again when they come back. */
  readonly shownIn?: readonly string[];
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
  const { name, agent, workspace, shownIn, isInFront, isCaptureOff, pinnedSnapshots } = notes;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof agent === 'string' && { agent }),
    ...(typeof workspace === 'string' && { workspace }),
    ...(isTexts(shownIn) && { shownIn }),
    ...(typeof isInFront === 'boolean' && { isInFront }),
    ...(typeof isCaptureOff === 'boolean' && { isCaptureOff }),
    ...(isTexts(pinnedSnapshots) && { pinnedSnapshots }),
  };
}

/** Whoever reads and then writes has to be alone, or another's change between the two is lost. */
const sequencer = new Sequencer();

/**
 * Changes some of the notes and leaves the others.
 *
 * @param change what is new, or how to tell it from what there is
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

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
