import { storedUnicodeVersion } from '../../../base/unicodeVersion.ts';
import { isMomentKind, type PageMoment } from '../../../timeline/common/moments/moment.ts';
import type { Gap } from '../../../timeline/common/recordIndex.ts';
import {
  asObject,
  badRequest,
  count,
  time,
  shortText,
} from '../../../timeline/common/protocol/checkedFields.ts';
import {
  MENU_ACTIONS,
  MOMENT_ACTIONS,
  type BranchLane,
  type Hello,
  type MenuRequest,
  type MomentAction,
  type Extent,
  type SessionHeader,
  type SessionOrigin,
} from '../../../timeline/common/protocol/timelineProtocol.ts';
import { parseSeekTarget, parsePlace } from '../../../timeline/common/protocol/playbackCodec.ts';
import type { SearchHit, SearchHits } from '../../../timeline/common/search/searchHits.ts';

/** Checks the extension's messages: their contents come from recordings, which can be hostile. */

export function parseExtent(value: unknown): Extent {
  const { startNs, endMs, totalBytes, recordCount, ...rest } = asObject(value);
  const { isIndexed, isFinished, problem, gaps, unicodeVersion } = rest;
  if (typeof startNs !== 'string' || !/^\d{1,20}$/.test(startNs)) throw badRequest('startNs');
  if (!Array.isArray(gaps)) throw badRequest('gaps');
  return {
    startNs,
    unicodeVersion: storedUnicodeVersion(unicodeVersion),
    endMs: time(endMs, 'endMs'),
    totalBytes: count(totalBytes, 'totalBytes'),
    recordCount: count(recordCount, 'recordCount'),
    isIndexed: isIndexed === true,
    isFinished: isFinished === true,
    problem: typeof problem === 'string' ? problem : null,
    gaps: gaps.map(parseGap),
  };
}

function parseGap(value: unknown): Gap {
  const { fromMs, toMs, isPause } = asObject(value);
  const span = { fromMs: time(fromMs, 'gaps'), toMs: time(toMs, 'gaps') };
  return { ...span, ...(isPause === true && { isPause }) };
}

export function parseMoments(value: unknown): PageMoment[] {
  const { moments } = asObject(value);
  if (!Array.isArray(moments)) throw badRequest('moments');
  return moments.map((each: unknown) => {
    const { id, kind, timeMs, byteOffset, title, detail, exact } = asObject(each);
    const { isOpen, isError, isManual, snapshotId, isLate, changesId, partOf, turn } =
      asObject(each);
    const { branchId, isDiscarded } = asObject(each);
    if (typeof id !== 'string' || typeof title !== 'string') throw badRequest('moments');
    return {
      id,
      title,
      kind: isMomentKind(kind) ? kind : 'mark',
      timeMs: time(timeMs, 'timeMs'),
      byteOffset: count(byteOffset, 'byteOffset'),
      ...(typeof detail === 'string' && { detail }),
      ...(typeof exact === 'string' && { exact }),
      ...(isOpen === true && { isOpen }),
      ...(isError === true && { isError }),
      ...(isManual === true && { isManual }),
      ...(typeof snapshotId === 'string' && { snapshotId }),
      ...(isLate === true && { isLate }),
      ...(typeof changesId === 'string' && { changesId }),
      ...(typeof partOf === 'string' && { partOf }),
      ...(typeof turn === 'number' && { turn }),
      ...(typeof branchId === 'string' && { branchId }),
      ...(isDiscarded === true && { isDiscarded }),
    };
  });
}

export function parseHits(value: unknown): SearchHits {
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

function parseHit(value: unknown): SearchHit {
  const { excerpt, start, length, isPassing, momentId } = asObject(value);
  if (typeof excerpt !== 'string') throw badRequest('excerpt');
  return {
    ...parsePlace(value),
    excerpt,
    start: count(start, 'start'),
    length: count(length, 'length'),
    isPassing: isPassing === true,
    ...(typeof momentId === 'string' && { momentId }),
  };
}

export function parseSession(value: unknown): SessionHeader {
  const { sessionId, name, isRunning, stateText, origin } = asObject(value);
  if (typeof name !== 'string') throw badRequest('name');
  return {
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    name,
    isRunning: isRunning === true,
    stateText: typeof stateText === 'string' ? stateText : '',
    origin: origin === null ? null : parseOrigin(origin),
  };
}

function parseOrigin(value: unknown): SessionOrigin {
  const { sessionId, name, clock, byteOffset } = asObject(value);
  return {
    sessionId: shortText(sessionId, 'sessionId'),
    name: shortText(name, 'name'),
    clock: shortText(clock, 'clock'),
    byteOffset: count(byteOffset, 'byteOffset'),
  };
}

export function parseMenu(value: unknown): MenuRequest {
  const { action, momentId } = asObject(value);
  const known = MENU_ACTIONS.find((each) => each === action);
  if (!known) throw badRequest('action');
  return { action: known, momentId: typeof momentId === 'string' ? momentId : null };
}

export function parseActions(value: unknown): MomentAction[] {
  return MOMENT_ACTIONS.filter((action) => Array.isArray(value) && value.includes(action));
}

export function parseBranches(value: unknown): BranchLane[] {
  if (!Array.isArray(value)) throw badRequest('branches');
  return value.map((each: unknown) => {
    const { sessionId, name, timeMs, byteOffset, durationMs, isRunning } = asObject(each);
    if (typeof sessionId !== 'string' || typeof name !== 'string') throw badRequest('branches');
    return {
      sessionId,
      name,
      timeMs: time(timeMs, 'timeMs'),
      isRunning: isRunning === true,
      byteOffset: count(byteOffset, 'byteOffset'),
      durationMs: time(durationMs, 'durationMs'),
    };
  });
}

export function parseHello(value: unknown): Hello {
  const { protocolVersion, session, font, minimumContrast, ...rest } = asObject(value);
  const { actions, branches, reveal, instruction } = rest;
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
    reveal: reveal === null ? null : parseSeekTarget(reveal),
    instruction: typeof instruction === 'string' ? instruction : null,
  };
}
