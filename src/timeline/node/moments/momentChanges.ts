import * as l10n from '@vscode/l10n';
import { countWhile } from '../../../base/binarySearch.ts';
import type { Moment, MomentKind } from '../../common/moments/moment.ts';
import {
  snapshotOfTool,
  snapshotsOfTurn,
  type SnapshotPair,
} from '../../../snapshots/common/snapshotBefore.ts';
import type { SnapshotLine } from '../../../snapshots/common/snapshotLine.ts';
import type { Turn } from '../../../agents/common/turns/turns.ts';
import { turnDetail, type ToolFacts } from './agentMoments.ts';
import { snapshotsByTool } from './toolSnapshots.ts';

/** Facts about moments that the moments do not show, by the ID of the moment. */
export interface MomentFacts {
  readonly tools: ReadonlyMap<string, ToolFacts>;
  readonly turns: ReadonlyMap<string, Turn>;
}

export function snapshotMomentId({ id, anchorByte }: SnapshotLine): string {
  return `snapshot-${id}-${anchorByte}`;
}

/**
 * Adds to each tool call the snapshot after it, and to each prompt the snapshots before and after
 * its turn. A snapshot that a tool call caused is listed in the call's row.
 */
export function withChanges(
  moments: readonly Moment[],
  snapshots: readonly SnapshotLine[],
  { tools, turns }: MomentFacts,
): Moment[] {
  const toolTimes = timesOf(moments, 'tool');
  const prompts = timesOf(moments, 'prompt');
  const starts = moments.flatMap(({ id, tsNs }) => {
    const tool = tools.get(id);
    return tool ? [{ id, tsNs, title: tool.title }] : [];
  });
  const caused = snapshotsByTool(starts.sort(byTime), snapshots);
  const namedFiles = new Map(
    [...caused].map(([id, line]) => [line, tools.get(id)?.namedFiles ?? 0]),
  );
  const ofTools = new Set(caused.values());
  const others = snapshots.filter((line) => !ofTools.has(line));
  const owners = new Map([...caused].map(([id, line]) => [snapshotMomentId(line), id]));
  const withTools = moments.map((moment): Moment => {
    if (moment.kind !== 'tool') return moment;
    const own = caused.get(moment.id);
    if (own?.files.state === 'pending') return moment;
    if (own) return withFiles({ ...moment, changesId: String(own.id) }, own, tools.get(moment.id));
    const next = snapshotOfTool(others, moment.tsNs, nextAfter(toolTimes, moment));
    if (!next) return moment;
    // No agent reports the commands of a shell: their snapshots are found by time.
    if (next.trigger === 'command') owners.set(snapshotMomentId(next), moment.id);
    return { ...moment, changesId: String(next.id) };
  });
  return withTools.map((moment) => {
    const owner = owners.get(moment.id);
    if (owner !== undefined) return { ...moment, partOf: owner };
    if (moment.kind !== 'prompt') return moment;
    const pair = snapshotsOfTurn(snapshots, moment.tsNs, nextAfter(prompts, moment));
    if (!pair) return moment;
    const { before, after } = pair;
    const turn = turns.get(moment.id);
    const named = (line: SnapshotLine): number => namedFiles.get(line) ?? 0;
    const detail = turn && turnDetail(turn, changedInTurn(turn, snapshots, pair, named));
    const withCount = detail === undefined || detail === '' ? moment : { ...moment, detail };
    return { ...withCount, changesId: String(after.id), changesFromId: String(before.id) };
  });
}

/**
 * Counts the files that changed between the snapshots around a turn. A snapshot counts the files
 * since the one before it, so several may count the same file.
 * @param named how many files the agent named for the tool call of a snapshot
 * @returns undefined if the count is not known
 */
function changedInTurn(
  { files }: Turn,
  snapshots: readonly SnapshotLine[],
  { before, after }: SnapshotPair,
  named: (line: SnapshotLine) => number,
): number | undefined {
  const changes: { readonly line: SnapshotLine; readonly changed: number }[] = [];
  for (const line of snapshots) {
    if (line.tsNs <= before.tsNs || line.tsNs > after.tsNs) continue;
    const changed = line.files.state === 'kept' ? line.files.stats.changed : undefined;
    // Without all counts, only the agent's own is left.
    if (changed === undefined) return files.length;
    if (changed > 0) changes.push({ line, changed });
  }
  if (changes.length <= 1) return changes[0]?.changed ?? 0;
  return changes.every(({ line, changed }) => named(line) >= changed) ? files.length : undefined;
}

/** Adds the number of changed files, unless the agent named them. */
function withFiles(moment: Moment, { files }: SnapshotLine, tool: ToolFacts | undefined): Moment {
  if (files.state !== 'kept' || tool?.namedFiles) return moment;
  const reported = moment.detail === undefined ? [] : [moment.detail];
  const detail = [...changeCount(files.stats.changed), ...reported];
  return detail.length === 0 ? moment : { ...moment, detail: detail.join(' · ') };
}

function timesOf(moments: readonly Moment[], kind: MomentKind): bigint[] {
  return moments
    .filter((moment) => moment.kind === kind)
    .sort(byTime)
    .map(({ tsNs }) => tsNs);
}

function byTime(a: { readonly tsNs: bigint }, b: { readonly tsNs: bigint }): number {
  return a.tsNs < b.tsNs ? -1 : a.tsNs > b.tsNs ? 1 : 0;
}

function nextAfter(times: readonly bigint[], { tsNs }: Moment): bigint | undefined {
  return times[countWhile(times, (each) => each <= tsNs)];
}

export function changeCount(changed: number | undefined): string[] {
  if (!changed) return [];
  return [changed === 1 ? l10n.t('1 file changed') : l10n.t('{0} files changed', changed)];
}
