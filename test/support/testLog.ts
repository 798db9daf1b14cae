import { appendFileSync } from 'node:fs';

/** A line of a suite's log, read by `npm run test:times`. */
export interface TestLogEntry {
  readonly kind: 'test' | 'window';
  readonly title: string;
  readonly file?: string;
  readonly state: 'passed' | 'failed' | 'pending';
  readonly ms: number;
}

export function logTest(entry: TestLogEntry): void {
  const log = process.env['AH_TEST_LOG'];
  if (log) appendFileSync(log, `${JSON.stringify(entry)}\n`);
}
