import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { compareMoments, withTurns, type Moment } from '../../common/moments/moment.ts';
import { plainTitle } from '../../common/moments/recordedMoments.ts';
import { millisecondsSince, type RecordIndex } from '../../common/recordIndex.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';
import { readEvents } from '../../../sessions/node/eventsFile.ts';
import { readSnapshots } from '../../../snapshots/node/list/snapshotsFile.ts';
import { sessionPathsOf } from './sessionPaths.ts';
import { agentMoments, type MomentDraft } from './agentMoments.ts';
import { changeCount, snapshotMomentId, withChanges } from './momentChanges.ts';
import { lateText } from './lateText.ts';

/** A file beside the recording that has moments. */
interface MomentSource {
  /** Name in the session's folder. */
  readonly file: string;
  read(folder: string): Promise<SourceContents>;
}

interface SourceContents {
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
    read: async (folder) => {
      const events = await readEvents(folder);
      return { moments: agentMoments(events, await sessionPathsOf(folder, events)) };
    },
  },
];

/** Merges the moments of a recording with those of the files beside it. */
export class SessionMoments {
  readonly #folder: string;
  readonly #fingerprints = new Map<MomentSource, string>();
  readonly #read = new Map<MomentSource, SourceContents>();

  constructor(recording: string) {
    this.#folder = path.dirname(recording);
  }

  /** Reads files that have changed. @returns whether any has */
  async refresh(): Promise<boolean> {
    let hasChanged = false;
    for (const source of SOURCES) {
      const fingerprint = await fingerprintOf(path.join(this.#folder, source.file));
      if (fingerprint === this.#fingerprints.get(source)) continue;
      this.#fingerprints.set(source, fingerprint);
      // Without the file, the recording still has moments of its own.
      this.#read.set(source, await source.read(this.#folder).catch(() => ({ moments: [] })));
      hasChanged = true;
    }
    return hasChanged;
  }

  /**
   * All moments in session order. Moments from files replace the recording's own with the same ID,
   * since they have more details.
   */
  merge(recorded: readonly Moment[], index: RecordIndex): Moment[] {
    const byId = new Map(recorded.map((moment) => [moment.id, moment]));
    const all = [...this.#read.values()];
    for (const { moments } of all) {
      for (const moment of moments) byId.set(moment.id, placed(moment, index));
    }
    const ordered = [...byId.values()].sort(compareMoments);
    const snapshots = all.flatMap((each) => each.snapshots ?? []);
    const tools = new Map(
      all.flatMap(({ moments }) => moments.flatMap(({ id, tool }) => (tool ? [[id, tool]] : []))),
    );
    const turns = new Map(
      all.flatMap(({ moments }) =>
        moments.flatMap(({ id, agentTurn }) => (agentTurn ? [[id, agentTurn]] : [])),
      ),
    );
    return withTurns(withChanges(ordered, snapshots, { tools, turns }));
  }
}

/** Gives a moment without a byte offset the byte offset at its time. */
function placed(draft: MomentDraft, index: RecordIndex): Moment {
  return { ...withoutFacts(draft), byteOffset: byteOf(draft, index) };
}

function byteOf({ byteOffset, tsNs }: MomentDraft, index: RecordIndex): number {
  if (byteOffset !== undefined) return byteOffset;
  return index.byteAfter(index.recordAtTime(millisecondsSince(index.startNs, tsNs)));
}

/** Removes the facts that a moment does not show: only the merge needs them. */
function withoutFacts(draft: MomentDraft): Omit<MomentDraft, 'tool' | 'agentTurn'> {
  const moment: { -readonly [K in keyof MomentDraft]: MomentDraft[K] } = { ...draft };
  delete moment.tool;
  delete moment.agentTurn;
  return moment;
}

/** A text that changes when the file changes; empty when there is no file. */
async function fingerprintOf(file: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(file);
    return `${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

function snapshotMoment(line: SnapshotLine): Moment {
  const { id, tsNs, label, kind, anchorByte, files } = line;
  const detail = filesText(files);
  return {
    id: snapshotMomentId(line),
    kind: files.state === 'elsewhere' ? 'mark' : 'snapshot',
    tsNs,
    byteOffset: anchorByte,
    title: plainTitle(label) || l10n.t('Snapshot {0}', String(id)),
    isManual: kind === 'manual',
    ...(detail !== '' && { detail }),
    ...(files.state === 'failed' && { isError: true }),
    ...(files.state === 'kept' && {
      snapshotId: String(id),
      ...(files.isLate && { isLate: true }),
    }),
  };
}

function filesText(files: SnapshotLine['files']): string {
  switch (files.state) {
    case 'kept':
      return [...changeCount(files.stats.changed), lateText(files)].filter(Boolean).join(' · ');
    case 'failed':
      return l10n.t('Can’t take a snapshot: {0}', plainTitle(files.reason));
    case 'removed':
      return l10n.t(
        'The files of this snapshot were deleted to free disk space, or together with a branch.',
      );
    case 'elsewhere':
      return l10n.t('another program stores the files');
    case 'pending':
      return '';
  }
}
