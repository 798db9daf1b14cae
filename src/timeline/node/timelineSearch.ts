import type { Timers } from '../../base/clock.ts';
import type { Moment } from '../common/moment.ts';
import { millisecondsSince } from '../common/recordIndex.ts';
import { compileQuery, matchesIn, type Matcher } from '../common/searchQuery.ts';
import type { TextHit } from '../common/textIndex.ts';
import type { HitBody, HitsBody, SearchParams } from '../common/webviewProtocol.ts';
import { yieldEvery } from '../../platform/shared/yieldEvery.ts';
import { PatternThread } from './patternThread.ts';
import type { TextPass } from './textPass.ts';
import type { TimelineRecording } from './timelineRecording.ts';

/** More marks than a scrubber has pixels, and more than anybody steps through. */
const MAX_HITS = 2000;
const EXCERPT_LENGTH = 160;
const WORK_MS = 8;

export interface SearchOptions {
  readonly params: SearchParams;
  readonly recording: TimelineRecording;
  /** All that are known by now. */
  readonly moments: () => readonly Moment[];
  readonly pass: TextPass;
  /** The program of the thread that looks for a regular expression. */
  readonly patternWorkerFile: string;
  /** End a regular expression that takes too long. */
  readonly timers: Timers;
  readonly report: (hits: HitsBody) => void;
  readonly signal: AbortSignal;
}

/** Searches the moments and then everything that was on the screen, as that becomes known. */
export async function searchTimeline(options: SearchOptions): Promise<void> {
  const { params, patternWorkerFile, timers, signal } = options;
  // Said at once, and not by a thread that fails.
  const pattern = compileQuery(params);
  if (!params.isRegex) {
    return search(options, { matches: (text) => Promise.resolve(matchesIn(text, pattern)) });
  }
  const thread = new PatternThread(patternWorkerFile, params, timers);
  const end = () => thread.dispose();
  signal.addEventListener('abort', end);
  try {
    await search(options, thread);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

async function search(options: SearchOptions, matcher: Matcher): Promise<void> {
  const { pass, signal, recording } = options;
  const report = new Report(options);
  // Of a recording that is only being read through, neither the moments nor the end are known.
  const isRead = () => recording.index.length >= recording.reader.recordCount;
  const hasMoments = isRead();
  if (hasMoments) report.add(await momentHits(options, matcher));
  const pause = yieldEvery(WORK_MS);
  let part = 0;
  while (!signal.aborted) {
    while (part < pass.index.closedParts && !signal.aborted) {
      report.add((await pass.index.searchPart(part++, matcher)).map(hitBody));
      await pause();
    }
    if ((pass.isCurrent && isRead()) || pass.isDisposed) break;
    report.send(false);
    await pass.moved();
  }
  if (signal.aborted) return;
  if (!hasMoments) report.add(await momentHits(options, matcher));
  report.add((await pass.index.searchPart(part, matcher)).map(hitBody));
  report.send(true);
}

/** Sends what was found when there is something to tell, and not for every part. */
class Report {
  readonly #options: SearchOptions;
  #hits: HitBody[] = [];
  #sent = 0;
  #total = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  add(hits: readonly HitBody[]): void {
    this.#total += hits.length;
    this.#hits.push(...hits.slice(0, MAX_HITS - this.#sent - this.#hits.length));
  }

  send(isDone: boolean): void {
    const { params, pass, report } = this.#options;
    const { searchId } = params;
    const hits = this.#hits;
    this.#hits = [];
    this.#sent += hits.length;
    const progress = isDone ? 1 : pass.progress;
    report({ searchId, hits, total: this.#total, progress, isDone });
  }
}

async function momentHits(
  { moments, recording, signal }: SearchOptions,
  matcher: Matcher,
): Promise<HitBody[]> {
  const { index } = recording;
  const hits: HitBody[] = [];
  for (const moment of moments()) {
    if (signal.aborted) break;
    const text = [moment.title, moment.detail ?? ''].join('\n');
    const [match] = await matcher.matches(text);
    if (!match) continue;
    hits.push({
      timeMs: Math.max(0, millisecondsSince(index.startNs, moment.tsNs)),
      byteOffset: moment.byteOffset,
      recordIndex: Math.max(0, index.recordAtByte(moment.byteOffset)),
      isPassing: false,
      momentId: moment.id,
      ...excerptOf(text.replaceAll('\n', ' '), match.start, match.length),
    });
  }
  return hits;
}

function hitBody(hit: TextHit): HitBody {
  const { recordIndex, byteOffset, timeMs, isPassing, line, start, length } = hit;
  return { recordIndex, byteOffset, timeMs, isPassing, ...excerptOf(line, start, length) };
}

/** The match with some of what surrounds it. */
function excerptOf(line: string, start: number, length: number) {
  if (line.length <= EXCERPT_LENGTH) return { excerpt: line, start, length };
  const room = Math.max(0, EXCERPT_LENGTH - length);
  const from = Math.max(0, Math.min(start - (room >> 2), line.length - EXCERPT_LENGTH));
  const excerpt = line.slice(from, from + Math.max(EXCERPT_LENGTH, length));
  return { excerpt, start: start - from, length: Math.min(length, excerpt.length) };
}
