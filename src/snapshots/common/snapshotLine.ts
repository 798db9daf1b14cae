import { parseExactJson, stringifyExactJson, type ExactValue } from '../../base/exactJson.ts';
import { PROVIDER_ORDER, type Omission, type ProviderName } from './provider.ts';

/** What caused the snapshot. */
export type SnapshotTrigger =
  'start' | 'tool' | 'command' | 'git' | 'timer' | 'manual' | 'restore' | 'end' | 'notified';

/** The stored files of a moment. */
export interface KeptFiles {
  readonly state: 'kept';
  readonly provider: ProviderName;
  readonly ref: string;
  readonly stats: {
    readonly files?: number;
    readonly changed?: number;
    readonly bytes?: number;
  };
  readonly omissions: readonly Omission[];
  /** The snapshot was completed only after the agent had continued. */
  readonly isLate?: boolean;
  /** The snapshot covers only reported changes and is not verified yet. */
  readonly isUnverified?: boolean;
}

/** The files of a moment, or why there are none. */
export type SnapshotFiles =
  | KeptFiles
  /** The snapshot is being taken. After a crash it is lost, unless the provider has stored it. */
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'removed' }
  /** Another program stores the files: this moment was only reported to the recorder. */
  | { readonly state: 'elsewhere' };

/** A moment with its snapshot: a line of `session.snapshots.jsonl`. */
export interface SnapshotLine {
  readonly id: bigint;
  readonly tsNs: bigint;
  readonly label: string;
  readonly kind: 'auto' | 'manual';
  readonly anchorByte: number;
  readonly trigger: SnapshotTrigger;
  readonly files: SnapshotFiles;
}

// prettier-ignore
const TRIGGERS: readonly SnapshotTrigger[] =
  ['start', 'tool', 'command', 'git', 'timer', 'manual', 'restore', 'end', 'notified'];

/** Encodes a line, without the newline. */
export function encodeSnapshotLine(line: SnapshotLine): string {
  const { id, tsNs, label, kind, anchorByte, trigger, files } = line;
  return stringifyExactJson({
    id,
    ts_ns: tsNs,
    label,
    kind,
    anchor_byte: anchorByte,
    trigger: trigger === 'notified' ? undefined : trigger,
    ...encodeFiles(files),
  });
}

function encodeFiles(files: SnapshotFiles): { [key: string]: ExactValue } {
  switch (files.state) {
    case 'kept': {
      const { provider, ref, stats, omissions, isLate, isUnverified } = files;
      return {
        fs_snapshot: true,
        provider,
        ref,
        stats: { ...stats },
        skipped: omissions.map((omission) => ({ ...omission })),
        late: isLate === true ? true : undefined,
        unproven: isUnverified === true ? true : undefined,
      };
    }
    case 'failed':
      return { fs_snapshot: false, reason: files.reason };
    case 'pending':
      return { fs_snapshot: false, pending: true };
    case 'removed':
      return { fs_snapshot: false, removed: true };
    case 'elsewhere':
      return {};
  }
}

/**
 * Reads all snapshots of the file, in order of their first line. A later line about the same
 * snapshot replaces the earlier one: the snapshot was completed or removed. After a removal, lines
 * with the state `kept` are ignored, because their writer did not know of the removal. Damaged
 * lines are skipped.
 */
export function decodeSnapshotLines(text: string): SnapshotLine[] {
  const found = new Map<bigint, SnapshotLine>();
  for (const part of text.split('\n')) {
    const line = decodeSnapshotLine(part);
    if (!line) continue;
    const isGone = found.get(line.id)?.files.state === 'removed';
    if (!isGone || line.files.state !== 'kept') found.set(line.id, line);
  }
  return [...found.values()];
}

function decodeSnapshotLine(text: string): SnapshotLine | undefined {
  let value: ExactValue;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined; // A damaged line.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as { readonly [key: string]: ExactValue };
  const id = asBigint(fields['id']);
  const tsNs = asBigint(fields['ts_ns']);
  const anchorByte = Number(fields['anchor_byte']);
  if (id === undefined || tsNs === undefined || !Number.isSafeInteger(anchorByte)) return undefined;
  const { label, trigger } = fields;
  return {
    id,
    tsNs,
    anchorByte,
    label: typeof label === 'string' ? label : '',
    kind: fields['kind'] === 'manual' ? 'manual' : 'auto',
    trigger: TRIGGERS.find((known) => known === trigger) ?? 'notified',
    files: decodeFiles(fields),
  };
}

function decodeFiles(fields: { readonly [key: string]: ExactValue }): SnapshotFiles {
  const { provider, ref, reason } = fields;
  if (fields['removed'] === true) return { state: 'removed' };
  if (fields['pending'] === true) return { state: 'pending' };
  if (fields['fs_snapshot'] === false)
    return { state: 'failed', reason: typeof reason === 'string' ? reason : '' };
  if (typeof ref !== 'string' || !PROVIDER_ORDER.includes(provider as ProviderName))
    return { state: 'elsewhere' };
  return {
    state: 'kept',
    ref,
    provider: provider as ProviderName,
    stats: asStats(fields['stats']),
    omissions: decodeOmissions(fields['skipped']),
    ...(fields['late'] === true && { isLate: true }),
    ...(fields['unproven'] === true && { isUnverified: true }),
  };
}

function asStats(value: ExactValue): { files?: number; changed?: number; bytes?: number } {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value).filter(([, count]) => typeof count === 'number');
  return Object.fromEntries(entries);
}

/** Skips entries that are not valid omissions. */
export function decodeOmissions(value: ExactValue | undefined): Omission[] {
  return Array.isArray(value) ? value.flatMap(asOmission) : [];
}

// prettier-ignore
const REASONS: readonly Omission['reason'][] =
  ['ignored', 'too-large', 'unreadable', 'special', 'unstable'];

function asOmission(value: ExactValue): Omission[] {
  if (typeof value !== 'object' || value === null) return [];
  const { path, reason, detail } = value as { readonly [key: string]: ExactValue };
  const known = REASONS.find((each) => each === reason);
  if (typeof path !== 'string' || !known) return [];
  return [{ path, reason: known, ...(typeof detail === 'string' && { detail }) }];
}

function asBigint(value: ExactValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}
