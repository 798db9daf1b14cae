import type { Timers } from '../../base/clock.ts';
import type { Moment } from '../common/moments/moment.ts';
import { millisecondsSince } from '../common/recordIndex.ts';
import { compileQuery, matchesIn, type Matcher } from '../common/search/searchQuery.ts';
import type { TextHit } from '../common/search/textIndex.ts';
import type { SearchHit, SearchHits, SearchRequest } from '../common/search/searchHits.ts';
import { yieldEvery } from '../../platform/shared/yieldEvery.ts';
import { PatternThread } from './patternThread.ts';
import type { TextPass } from './passes/textPass.ts';
import type { TimelineRecording } from './timelineRecording.ts';

/** More matches than a scrubber has pixels. */
const MAX_HITS = 2000;
const EXCERPT_LENGTH = 160;
const WORK_MS = 8;

export interface SearchOptions {
  readonly params: SearchRequest;
  readonly recording: TimelineRecording;
  /** All moments known at the time of the call. */
  readonly moments: () => readonly Moment[];
  readonly pass: TextPass;
  /** Script of the thread that runs regular expressions. */
  readonly patternWorkerFile: string;
  /** Times the limit for a regular expression. */
  readonly timers: Timers;
  readonly report: (hits: SearchHits) => void;
  readonly signal: AbortSignal;
}

/** Searches the moments and then all screen text, as it becomes indexed. */
export async function searchTimeline(options: SearchOptions): Promise<void> {
  const { params, patternWorkerFile, timers, signal } = options;
  // An invalid expression fails here, not on the thread.
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
  const reporter = new HitReporter(options);
  // While a recording is still being indexed, its moments are incomplete.
  const isRead = () => recording.index.length >= recording.reader.recordCount;
  const hasMoments = isRead();
  if (hasMoments) reporter.add(await momentHits(options, matcher));
  const pause = yieldEvery(WORK_MS);
  let part = 0;
  while (!signal.aborted) {
    while (part < pass.index.closedParts && !signal.aborted) {
      reporter.add((await pass.index.searchPart(part++, matcher)).map(screenHit));
      await pause();
    }
    if ((pass.isCurrent && isRead()) || pass.isDisposed) break;
    reporter.send(false);
    await pass.moved();
  }
  if (signal.aborted) return;
  if (!hasMoments) reporter.add(await momentHits(options, matcher));
  reporter.add((await pass.index.searchPart(part, matcher)).map(screenHit));
  reporter.send(true);
}

/** Collects matches and sends them together, not for every part. */
class HitReporter {
  readonly #options: SearchOptions;
  #hits: SearchHit[] = [];
  #sent = 0;
  #total = 0;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  add(hits: readonly SearchHit[]): void {
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
): Promise<SearchHit[]> {
  const { index } = recording;
  const hits: SearchHit[] = [];
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

function screenHit({ line, start, length, ...place }: TextHit): SearchHit {
  return { ...place, ...excerptOf(line, start, length) };
}

/** The match with some text around it. */
function excerptOf(line: string, start: number, length: number) {
  if (line.length <= EXCERPT_LENGTH) return { excerpt: line, start, length };
  const room = Math.max(0, EXCERPT_LENGTH - length);
  const from = Math.max(0, Math.min(start - (room >> 2), line.length - EXCERPT_LENGTH));
  const excerpt = line.slice(from, from + Math.max(EXCERPT_LENGTH, length));
  return { excerpt, start: start - from, length: Math.min(length, excerpt.length) };
}
