import type {
  SnapshotProvider,
  TakeRequest,
  TakenSnapshot,
} from '../../src/snapshots/common/provider.ts';
import type { SnapshotLine } from '../../src/snapshots/common/snapshotLine.ts';
import { SnapshotNumbers } from '../../src/snapshots/node/take/snapshotNumbers.ts';
import {
  SnapshotTaker,
  type RecordedMoment,
  type SnapshotTakerParts,
} from '../../src/snapshots/node/take/snapshotTaker.ts';
import { FakeClock } from './fakeClock.ts';

export const TOOL = { label: 'edit', kind: 'auto', trigger: 'tool' } as const;

/** A taker with a provider that finishes when the test says so. */
export function setUpTaker(changes: Partial<SnapshotTakerParts> = {}) {
  const clock = new FakeClock();
  const steps: string[] = [];
  const lines: SnapshotLine[] = [];
  const names = new Set<string>();
  const numbers = new SnapshotNumbers();
  let under: { resolve: (taken: TakenSnapshot) => void; reject: (error: Error) => void };
  const take = (request: TakeRequest) =>
    new Promise<TakenSnapshot>((resolve, reject) => {
      steps.push(`take ${request.name}`);
      if (names.has(request.name)) throw new Error(`Snapshot ${request.name} already exists.`);
      const keep = (taken: TakenSnapshot) => {
        // An unchanged snapshot has the reference of an earlier one.
        if (!taken.isUnchanged) names.add(request.name);
        resolve(taken);
      };
      under = { resolve: keep, reject };
      request.signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const taker = new SnapshotTaker({
    sessionId: 's',
    nextId: () => numbers.next(),
    releaseId: (id) => numbers.release(id),
    provider: Promise.resolve({ name: 'git', take } as unknown as SnapshotProvider),
    clock,
    settle: () => {
      steps.push('settle');
      return Promise.resolve(10);
    },
    record: (id, _label, anchorByte) => {
      steps.push(`record ${id} at ${anchorByte}`);
      return Promise.resolve(momentAt(1000n));
    },
    append: (added) => {
      for (const line of added) steps.push(`append ${line.id} ${line.files.state}`);
      lines.push(...added);
      return Promise.resolve();
    },
    changes: {
      take: () => Promise.resolve(undefined),
      forget: () => steps.push('forget'),
    },
    hasStarted: () => false,
    budgetMs: 150,
    giveUpMs: 60_000,
    ...changes,
  });
  return {
    taker,
    steps,
    lines,
    clock,
    finish: (taken: Partial<TakenSnapshot> & { ref: string }) =>
      under.resolve({ isUnchanged: false, stats: {}, omissions: [], ...taken }),
    fail: (error: Error) => under.reject(error),
  };
}

/** A moment that is on disk at once. */
export function momentAt(tsNs: bigint): RecordedMoment {
  return { tsNs, onDisk: Promise.resolve() };
}

export function refOf(line: SnapshotLine | undefined): string | undefined {
  return line?.files.state === 'kept' ? line.files.ref : undefined;
}

/** Runs all pending microtasks. */
export function turns(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
