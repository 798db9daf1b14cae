import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile, syncFolder } from '../../../platform/node/files/atomicFile.ts';
import { makePrivateFolder } from '../../../platform/node/paths.ts';
import { nodeFiles } from '../../../platform/node/files/files.ts';
import { nodeProcesses } from '../../../platform/node/processes/processes.ts';
import { SystemClock } from '../../../platform/node/systemClock.ts';
import { errorCode, UserError } from '../../../base/errors.ts';
import type { Catalogue } from '../../../sessions/node/catalogue.ts';
import {
  scrubJournalFile,
  scrubsFolder,
  unfinishedScrubs,
} from '../../../sessions/node/unfinishedScrubs.ts';
import { acquireLock } from '../../../snapshots/git/storageLock.ts';
import type { ProviderName } from '../../../snapshots/common/provider.ts';
import type { ByteRange } from '../../common/byteRanges.ts';

/**
 * A change that a scrub makes. Each can be repeated. None contains the text, a hash of it, or the
 * name of an object that consists of it.
 */
export type ScrubChange =
  /** The file's draft, which is beside it, replaces it. */
  | { readonly kind: 'replace'; readonly file: string }
  | { readonly kind: 'delete'; readonly file: string }
  /** Another program may append to the file, so it is changed in place. */
  | {
      readonly kind: 'fill';
      readonly file: string;
      readonly inode: string;
      readonly ranges: readonly ByteRange[];
    }
  /** Rewritten snapshots replace the old ones, in the provider and in the files of sessions. */
  | {
      readonly kind: 'rewrite';
      readonly workspace: string;
      readonly provider: ProviderName;
      readonly replaced: readonly (readonly [before: string, after: string])[];
    }
  /** Snapshots are deleted, and marked as removed in all sessions. */
  | {
      readonly kind: 'remove';
      readonly workspace: string;
      readonly provider: ProviderName;
      readonly snapshots: readonly RemovedSnapshot[];
      readonly labels: readonly (readonly [ref: string, ranges: readonly ByteRange[]])[];
    };

export interface RemovedSnapshot {
  readonly ref: string;
  /** The references by which sessions name it. */
  readonly namedBy: readonly string[];
}

/**
 * What a scrub is about to do. It is replaced once: until `isPrepared`, nothing has changed, and an
 * interrupted scrub is undone; from then on, an interrupted scrub is completed.
 */
export interface ScrubJournal {
  readonly version: 1;
  readonly sessionId: string;
  /** The process that scrubs. */
  readonly owner: string;
  readonly isPrepared: boolean;
  /** The real path of the workspace whose snapshots are scrubbed. */
  readonly workspace?: string | undefined;
  /** Files that may have a draft. */
  readonly files: readonly string[];
  readonly changes: readonly ScrubChange[];
  /** Sentences about places that the scrub does not reach. */
  readonly problems: readonly string[];
}

/** The new version of a file, until it replaces the file. */
export function draftOf(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.scrub`);
}

export async function writeJournal(catalogue: Catalogue, journal: ScrubJournal): Promise<void> {
  makePrivateFolder(scrubsFolder(catalogue));
  await replaceFile(scrubJournalFile(catalogue, journal.sessionId), JSON.stringify(journal));
}

/** @returns undefined if there is none */
export async function readJournal(
  catalogue: Catalogue,
  sessionId: string,
): Promise<ScrubJournal | undefined> {
  try {
    const text = await readFile(scrubJournalFile(catalogue, sessionId), 'utf8');
    return JSON.parse(text) as ScrubJournal;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export async function removeJournal(catalogue: Catalogue, sessionId: string): Promise<void> {
  await rm(scrubJournalFile(catalogue, sessionId), { force: true });
  await syncFolder(scrubsFolder(catalogue));
}

/** The journals whose process has ended. */
export async function abandonedJournals(catalogue: Catalogue): Promise<ScrubJournal[]> {
  const found: ScrubJournal[] = [];
  for (const id of unfinishedScrubs(catalogue)) {
    const journal = await readJournal(catalogue, id);
    if (journal && !(await nodeProcesses.isAlive(journal.owner))) found.push(journal);
  }
  return found;
}

/** Runs one scrub at a time; waits for those of other processes. */
export async function withScrubLock<T>(
  catalogue: Catalogue,
  signal: AbortSignal | undefined,
  task: () => Promise<T>,
): Promise<T> {
  const folder = scrubsFolder(catalogue);
  makePrivateFolder(folder);
  const ports = { files: nodeFiles, processes: nodeProcesses, clock: new SystemClock() };
  const lock = await acquireLock(ports, folder, signal).catch((error: unknown) => {
    if (!(error instanceof UserError) || error.code !== 'storage-busy') throw error;
    const message = 'Another process has been scrubbing for more than 10 minutes.';
    throw new UserError('scrub-busy', message, { cause: error });
  });
  try {
    return await task();
  } finally {
    await lock.release();
  }
}
