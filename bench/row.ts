/** A row of the table: the measurement, its budget, and whether the budget was kept. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly budget: string;
  readonly isWithin: boolean;
}

export type Benchmark = () => Promise<Row[]>;

/** The smallest value that this share of the values does not exceed. @param share 0 to 1 */
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
  /** Wall-clock time. */
  readonly ms: number;
  /** Processor time of all threads, which other work on the machine does not increase. */
  readonly cpuMs: number;
}

export async function costOf(task: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const ms = await timeMs(task);
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1000 };
}
