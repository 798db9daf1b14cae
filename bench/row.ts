/** One line of the table: what was measured, beside what, and whether it is within its budget. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly budget: string;
  readonly isWithin: boolean;
}

export type Benchmark = () => Promise<Row[]>;

/** @param share 0 to 1; of the sorted values, the one that so many are not above */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export async function timeMs(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

export interface Cost {
  /** On the clock. */
  readonly ms: number;
  /** On processors, of all threads of this process: what a machine that has other things to do cannot add to. */
  readonly cpuMs: number;
}

export async function costOf(task: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const ms = await timeMs(task);
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1000 };
}
