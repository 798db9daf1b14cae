import { stat } from 'node:fs/promises';
import path from 'node:path';
import { t } from '../../base/words.ts';
import { compareMoments, withTurns, type Moment } from '../common/moment.ts';
import { plainTitle } from '../common/recordedMoments.ts';
import { millisecondsSince, type RecordIndex } from '../common/recordIndex.ts';
import { snapshotOfTool } from '../../snapshots/common/snapshotBefore.ts';
import type { SnapshotLine } from '../../snapshots/common/snapshotLine.ts';
import { readEvents } from '../../sessions/node/eventsFile.ts';
import { readSnapshots } from '../../snapshots/node/snapshotsFile.ts';
import { agentMoments, type MomentDraft } from './agentMoments.ts';

/** Where moments come from that the recording does not hold. */
interface MomentSource {
  /** In the session's folder. */
  readonly file: string;
  read(folder: string): Promise<WhatWasRead>;
}

interface WhatWasRead {
  readonly moments: readonly MomentDraft[];
  readonly snapshots?: readonly SnapshotLine[];
}

const SOURCES: readonly MomentSource[] = [
  {
    file: 'session.snapshots.jsonl',
    read: async (folder) => {
      const snapshots = await readSnapshots(folder);
      return { snapshots, moments: snapshots.map(snapshotMoment) };
    },
  },
  {
    file: 'session.events.jsonl',
    read: async (folder) => ({ moments: agentMoments(await readEvents(folder)) }),
  },
];

/** All moments of a session: those of its recording, and what is written beside it. */
export class SessionMoments {
  readonly #folder: string;
  readonly #stamps = new Map<MomentSource, string>();
  readonly #read = new Map<MomentSource, WhatWasRead>();

  constructor(recording: string) {
    this.#folder = path.dirname(recording);
  }

  /** Reads what has changed. @returns whether anything has */
  async refresh(): Promise<boolean> {
    let hasChanged = false;
    for (const source of SOURCES) {
      const stamp = await stampOf(path.join(this.#folder, source.file));
      if (stamp === this.#stamps.get(source)) continue;
      this.#stamps.set(source, stamp);
      // What cannot be read is not there: the recording's own moments are.
      this.#read.set(source, await source.read(this.#folder).catch(() => ({ moments: [] })));
      hasChanged = true;
    }
    return hasChanged;
  }

  /** In the session's order. What is written beside a recording says more, and takes the place of the same moment in it. */
  merge(recorded: readonly Moment[], index: RecordIndex): Moment[] {
    const byId = new Map(recorded.map((moment) => [moment.id, moment]));
    const all = [...this.#read.values()];
    for (const { moments } of all) {
      for (const moment of moments) byId.set(moment.id, placed(moment, index));
    }
    const ordered = [...byId.values()].sort(compareMoments);
    const snapshots = all.flatMap((each) => each.snapshots ?? []);
    return withTurns(withChanges(ordered, snapshots));
  }
}

/** With each tool, the snapshot that was taken after it. */
function withChanges(moments: readonly Moment[], snapshots: readonly SnapshotLine[]): Moment[] {
  const began = moments
    .filter(({ kind }) => kind === 'tool')
    .map(({ tsNs }) => tsNs)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return moments.map((moment) => {
    if (moment.kind !== 'tool') return moment;
    const next = began[countUpTo(began, moment.tsNs)];
    const snapshot = snapshotOfTool(snapshots, moment.tsNs, next);
    return snapshot ? { ...moment, changesId: String(snapshot.id) } : moment;
  });
}

/** How many of sorted times are not after one. */
function countUpTo(times: readonly bigint[], tsNs: bigint): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= tsNs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What came without a place happened when so much had been printed as at its time. */
function placed(draft: MomentDraft, index: RecordIndex): Moment {
  if (draft.byteOffset !== undefined) return { ...draft, byteOffset: draft.byteOffset };
  const timeMs = millisecondsSince(index.startNs, draft.tsNs);
  return { ...draft, byteOffset: index.byteAfter(index.recordAtTime(timeMs)) };
}

async function stampOf(file: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(file);
    return `${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

function snapshotMoment({ id, tsNs, label, kind, anchorByte, files }: SnapshotLine): Moment {
  const detail = filesText(files);
  return {
    ...{ id: `snapshot-${id}-${anchorByte}`, kind: 'snapshot', tsNs, byteOffset: anchorByte },
    title: plainTitle(label) || t('Snapshot {0}', String(id)),
    isManual: kind === 'manual',
    ...(detail !== '' && { detail }),
    ...(files.state === 'failed' && { isError: true }),
    ...((files.state === 'kept' || files.state === 'elsewhere') && { snapshotId: String(id) }),
  };
}

function filesText(files: SnapshotLine['files']): string {
  switch (files.state) {
    case 'kept': {
      const { changed } = files.stats;
      if (!changed) return '';
      return changed === 1 ? t('1 file changed') : t('{0} files changed', changed);
    }
    case 'failed':
      return t('The files were not kept: {0}', plainTitle(files.reason));
    case 'removed':
      return t('Its files were removed to free disk space or with a branch.');
    case 'pending':
    case 'elsewhere':
      return '';
  }
}
