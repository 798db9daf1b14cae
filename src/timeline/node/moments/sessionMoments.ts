import { countWhile } from '../../../base/binarySearch.ts';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import {
  compareMoments,
  withTurns,
  type Moment,
  type MomentKind,
} from '../../common/moments/moment.ts';
import { plainTitle } from '../../common/moments/recordedMoments.ts';
import { millisecondsSince, type RecordIndex } from '../../common/recordIndex.ts';
import { snapshotOfTool, snapshotsOfTurn } from '../../../snapshots/common/snapshotBefore.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';
import { readEvents } from '../../../sessions/node/eventsFile.ts';
import { readSnapshots } from '../../../snapshots/node/list/snapshotsFile.ts';
import { sessionPathsOf } from './sessionPaths.ts';
import { agentMoments, type MomentDraft } from './agentMoments.ts';
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

  /** All moments in session order. Those from files have more details than the recording's own. */
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

/** Adds to each tool call the snapshot after it, and to each prompt those around its turn. */
function withChanges(moments: readonly Moment[], snapshots: readonly SnapshotLine[]): Moment[] {
  const tools = timesOf(moments, 'tool');
  const prompts = timesOf(moments, 'prompt');
  return moments.map((moment) => {
    if (moment.kind === 'tool') {
      const snapshot = snapshotOfTool(snapshots, moment.tsNs, nextAfter(tools, moment));
      return snapshot ? { ...moment, changesId: String(snapshot.id) } : moment;
    }
    if (moment.kind !== 'prompt') return moment;
    const turn = snapshotsOfTurn(snapshots, moment.tsNs, nextAfter(prompts, moment));
    if (!turn) return moment;
    const { before, after } = turn;
    return { ...moment, changesId: String(after.id), changesFromId: String(before.id) };
  });
}

function timesOf(moments: readonly Moment[], kind: MomentKind): bigint[] {
  return moments
    .filter((moment) => moment.kind === kind)
    .map(({ tsNs }) => tsNs)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function nextAfter(times: readonly bigint[], { tsNs }: Moment): bigint | undefined {
  return times[countWhile(times, (each) => each <= tsNs)];
}

/** Gives a moment without a byte offset the one at its time. */
function placed(draft: MomentDraft, index: RecordIndex): Moment {
  if (draft.byteOffset !== undefined) return { ...draft, byteOffset: draft.byteOffset };
  const timeMs = millisecondsSince(index.startNs, draft.tsNs);
  return { ...draft, byteOffset: index.byteAfter(index.recordAtTime(timeMs)) };
}

/** Changes with the file; empty when there is none. */
async function fingerprintOf(file: string): Promise<string> {
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
    id: `snapshot-${id}-${anchorByte}`,
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
      return [changeCount(files.stats.changed), lateText(files)].filter(Boolean).join(' · ');
    case 'failed':
      return l10n.t('Can’t take a snapshot: {0}', plainTitle(files.reason));
    case 'removed':
      return l10n.t('Its files were deleted to free disk space, or together with a branch.');
    case 'elsewhere':
      return l10n.t('reported by a program, without files');
    case 'pending':
      return '';
  }
}

function changeCount(changed: number | undefined): string {
  if (!changed) return '';
  return changed === 1 ? l10n.t('1 file changed') : l10n.t('{0} files changed', changed);
}
