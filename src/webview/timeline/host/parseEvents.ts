import { isMomentKind, type MomentKind } from '../../../timeline/common/moment.ts';
import type { Gap } from '../../../timeline/common/recordIndex.ts';
import {
  asObject,
  badRequest,
  count,
  MOMENT_ACTIONS,
  parseFrameParams,
  parsePlace,
  time,
  type BranchBody,
  type HelloBody,
  type HitBody,
  type HitsBody,
  type MomentAction,
  type MomentBody,
  type SessionBody,
} from '../../../timeline/common/webviewProtocol.ts';

/** What the page is told, checked: a recording from elsewhere has passed through many hands before it gets here. */
export interface PageMoment extends Omit<MomentBody, 'kind'> {
  readonly kind: MomentKind;
}

export interface PageExtent {
  readonly startNs: string;
  readonly endMs: number;
  readonly totalBytes: number;
  readonly isIndexed: boolean;
  readonly isFinished: boolean;
  readonly problem: string | null;
  readonly gaps: readonly Gap[];
}

export function parseExtent(value: unknown): PageExtent {
  const { startNs, endMs, totalBytes, isIndexed, isFinished, problem, gaps } = asObject(value);
  if (typeof startNs !== 'string' || !/^\d{1,20}$/.test(startNs)) throw badRequest('startNs');
  if (!Array.isArray(gaps) || gaps.length % 2 !== 0) throw badRequest('gaps');
  const pairs: Gap[] = [];
  for (let at = 0; at < gaps.length; at += 2) {
    pairs.push({ fromMs: time(gaps[at], 'gaps'), toMs: time(gaps[at + 1], 'gaps') });
  }
  return {
    ...{ startNs, endMs: time(endMs, 'endMs'), totalBytes: count(totalBytes, 'totalBytes') },
    ...{ isIndexed: isIndexed === true, isFinished: isFinished === true },
    problem: typeof problem === 'string' ? problem : null,
    gaps: pairs,
  };
}

export function parseMoments(value: unknown): PageMoment[] {
  const { moments } = asObject(value);
  if (!Array.isArray(moments)) throw badRequest('moments');
  return moments.map((each: unknown) => {
    const { id, kind, timeMs, byteOffset, title, detail, exact } = asObject(each);
    const { isOpen, isError, isManual, snapshotId, changesId, turn } = asObject(each);
    if (typeof id !== 'string' || typeof title !== 'string') throw badRequest('moments');
    return {
      ...{ id, title, kind: isMomentKind(kind) ? kind : 'mark' },
      timeMs: time(timeMs, 'timeMs'),
      byteOffset: count(byteOffset, 'byteOffset'),
      ...(typeof detail === 'string' && { detail }),
      ...(typeof exact === 'string' && { exact }),
      ...(isOpen === true && { isOpen }),
      ...(isError === true && { isError }),
      ...(isManual === true && { isManual }),
      ...(typeof snapshotId === 'string' && { snapshotId }),
      ...(typeof changesId === 'string' && { changesId }),
      ...(typeof turn === 'number' && { turn }),
    };
  });
}

export function parseHits(value: unknown): HitsBody {
  const { searchId, hits, total, progress, isDone } = asObject(value);
  if (!Array.isArray(hits) || typeof progress !== 'number') throw badRequest('hits');
  return {
    searchId: count(searchId, 'searchId'),
    hits: hits.map(parseHit),
    total: count(total, 'total'),
    progress,
    isDone: isDone === true,
  };
}

function parseHit(value: unknown): HitBody {
  const { excerpt, start, length, isPassing, momentId } = asObject(value);
  if (typeof excerpt !== 'string') throw badRequest('excerpt');
  return {
    ...parsePlace(value),
    ...{ excerpt, start: count(start, 'start'), length: count(length, 'length') },
    isPassing: isPassing === true,
    ...(typeof momentId === 'string' && { momentId }),
  };
}

export function parseSession(value: unknown): SessionBody {
  const { sessionId, name, isRunning, stateText } = asObject(value);
  if (typeof name !== 'string') throw badRequest('name');
  return {
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    ...{ name, isRunning: isRunning === true },
    stateText: typeof stateText === 'string' ? stateText : '',
  };
}

export function parseActions(value: unknown): MomentAction[] {
  return MOMENT_ACTIONS.filter((action) => Array.isArray(value) && value.includes(action));
}

export function parseBranches(value: unknown): BranchBody[] {
  if (!Array.isArray(value)) throw badRequest('branches');
  return value.map((each: unknown) => {
    const { sessionId, name, timeMs, byteOffset, durationMs, isRunning } = asObject(each);
    if (typeof sessionId !== 'string' || typeof name !== 'string') throw badRequest('branches');
    return {
      ...{ sessionId, name, timeMs: time(timeMs, 'timeMs'), isRunning: isRunning === true },
      byteOffset: count(byteOffset, 'byteOffset'),
      durationMs: time(durationMs, 'durationMs'),
    };
  });
}

export function parseHello(value: unknown): HelloBody {
  const { protocolVersion, session, font, minimumContrast, ...rest } = asObject(value);
  const { actions, branches, reveal } = rest;
  const { family, size } = asObject(font);
  return {
    protocolVersion: count(protocolVersion, 'protocolVersion'),
    session: parseSession(session),
    font: {
      family: typeof family === 'string' ? family : 'monospace',
      size: typeof size === 'number' && size >= 6 && size <= 100 ? size : 14,
    },
    minimumContrast:
      typeof minimumContrast === 'number' && minimumContrast >= 1 && minimumContrast <= 21
        ? minimumContrast
        : 1,
    actions: parseActions(actions),
    branches: parseBranches(branches),
    reveal: reveal === null ? null : parseFrameParams(reveal),
  };
}
