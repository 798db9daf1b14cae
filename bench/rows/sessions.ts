import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Row } from '../row.ts';

const IDLE_BUDGET_PERCENT = 2;
const MEMORY_BUDGET_KB = 512;

interface Measured {
  readonly idleCpuPercent: number;
  readonly busyCpuPercent: number;
  readonly kilobytesPerSession: number;
  readonly eventsPerSecond: number;
  readonly notified: number;
  readonly parsed: number;
  readonly written: number;
  readonly worstDelayMs: number;
}

/** Follows 100 sessions like an editor's window: 90 idle, ten active. In a separate process. */
export function sessionsRows(): Promise<Row[]> {
  const script = path.resolve(import.meta.dirname, '../followSessions.ts');
  const result = spawnSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(result.stderr);
  const measured = JSON.parse(result.stdout) as Measured;
  const { idleCpuPercent, busyCpuPercent, kilobytesPerSession, worstDelayMs } = measured;
  return Promise.resolve([
    {
      what: 'CPU while 100 followed sessions sleep',
      measured: `${idleCpuPercent.toFixed(2)} %`,
      budget: `${IDLE_BUDGET_PERCENT} %`,
      isWithin: idleCpuPercent <= IDLE_BUDGET_PERCENT,
    },
    {
      what: `CPU while 10 of them write ${measured.eventsPerSecond} events per second`,
      measured: `${busyCpuPercent.toFixed(1)} %`,
      budget: '50 %',
      isWithin: busyCpuPercent <= 50,
    },
    {
      what: 'memory of a followed session after 2000 events',
      measured: `${kilobytesPerSession.toFixed(0)} KB`,
      budget: `${MEMORY_BUDGET_KB} KB`,
      isWithin: kilobytesPerSession <= MEMORY_BUDGET_KB,
    },
    {
      what: 'notifications per event and listener, of 20',
      measured: (measured.notified / measured.written).toFixed(2),
      budget: '1',
      isWithin: measured.notified === measured.written,
    },
    {
      what: 'parses per event, for all 20 listeners',
      measured: (measured.parsed / measured.written).toFixed(2),
      budget: '1',
      isWithin: measured.parsed === measured.written,
    },
    {
      what: 'from evidence to status, the worst of 50',
      measured: `${worstDelayMs.toFixed(0)} ms`,
      budget: '500 ms',
      isWithin: worstDelayMs <= 500,
    },
  ]);
}
