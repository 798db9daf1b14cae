import { Session, type Profiler } from 'node:inspector/promises';

export interface OwnWork {
  /** The longest uninterrupted task of the extension. */
  readonly longestMs: number;
  /** Total time of the extension. */
  readonly totalMs: number;
  /** Functions of the longest task, outermost first. */
  readonly where: readonly string[];
}

const SAMPLE_MICROSECONDS = 1000;
/** Longest gap between samples that counts: in a longer one the thread was not running. */
const MAX_GAP_MICROSECONDS = 1.5 * SAMPLE_MICROSECONDS;
/** Garbage collection may run during any task. */
const COLLECTOR = '(garbage collector)';
const IDLE = '(idle)';

/** Measures the work of one file's code on this thread during `task`, by sampling the stack. */
export async function measureOwnWork(file: string, task: () => Promise<void>): Promise<OwnWork> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  let stopped: Profiler.Profile;
  const before = threadMicroseconds();
  try {
    await task();
  } finally {
    stopped = (await session.post('Profiler.stop')).profile;
    session.disconnect();
  }
  return ownWorkIn(stopped, file, threadMicroseconds() - before);
}

/** CPU time of this thread; NaN if unknown. */
function threadMicroseconds(): number {
  if (!('threadCpuUsage' in process)) return NaN;
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function ownWorkIn(profile: Profiler.Profile, file: string, usedMicroseconds: number): OwnWork {
  const parents = new Map(
    profile.nodes.flatMap(({ id, children }) => (children ?? []).map((child) => [child, id])),
  );
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const stack = (id: number | undefined): Profiler.ProfileNode[] =>
    id === undefined ? [] : [...stack(parents.get(id)), nodes.get(id)!];
  let [longest, total, current, busy] = [0, 0, 0, 0];
  let where: string[] = [];
  const { samples = [], timeDeltas = [] } = profile;
  samples.forEach((id, index) => {
    const frames = stack(id);
    // Each delta is the time since the previous sample.
    const lasted = Math.min(timeDeltas[index + 1] ?? 0, MAX_GAP_MICROSECONDS);
    if (frames.at(-1)?.callFrame.functionName !== IDLE) busy += lasted;
    const isOwn = frames.some(({ callFrame }) => callFrame.url.endsWith(file));
    const isPause = frames.at(-1)?.callFrame.functionName === COLLECTOR;
    if (isOwn) total += lasted;
    if (isOwn || (isPause && current > 0)) current += lasted;
    else current = 0;
    if (current <= longest) return;
    longest = current;
    if (isOwn) where = frames.map(({ callFrame }) => callFrame.functionName).slice(1);
  });
  // Scales by CPU time: on a busy machine other threads ran between samples.
  const share = Math.min(1, usedMicroseconds / busy) || 1;
  const milliseconds = (time: number) => (time * share) / 1000;
  return { longestMs: milliseconds(longest), totalMs: milliseconds(total), where };
}
