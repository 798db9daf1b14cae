import assert from 'node:assert/strict';
import type { Browser, FrameLocator, Page } from 'playwright-core';

/** What one frame did in one go. */
export interface FrameTask {
  /** On the clock. */
  readonly ms: number;
  /** On a processor: what a machine that has other things to do cannot add to. */
  readonly cpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

interface Noted {
  readonly tasks: readonly { readonly start: number; readonly duration: number }[];
  /** When the mark was made that is in the trace too. */
  readonly markedAt: number;
}

const MARK = 'ah-task-watch';

/** Runs in every frame before anything else: notes the frame's own tasks of more than 50 ms, not those of its neighbours. */
const WATCH = `
  globalThis.ownTasks = [];
  new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries()) {
      if (name === 'self') globalThis.ownTasks.push({ start: startTime, duration });
    }
  }).observe({ type: 'longtask', buffered: true });
`;

/**
 * Finds out for how long a page stood still. The browser says which tasks were the page's, its trace how long they were at
 * work, and not only waiting for a processor.
 */
export class TaskWatch {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Before the frame is loaded that is to be watched. */
  static async start(browser: Browser, page: Page): Promise<TaskWatch> {
    await page.context().addInitScript(WATCH);
    await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
    return new TaskWatch(browser);
  }

  /** @returns the frame's tasks of more than 50 ms since it was loaded */
  async stop(frame: Pick<FrameLocator, 'locator'>): Promise<FrameTask[]> {
    const { tasks, markedAt }: Noted = await frame.locator('body').evaluate(`({
      markedAt: performance.mark('${MARK}').startTime,
      tasks: globalThis.ownTasks,
    })`);
    const trace = (await this.#browser.stopTracing()).toString();
    const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
    const mark = traceEvents.find(({ name }) => name === MARK)!;
    const run = traceEvents.filter(
      ({ name, pid, tid, dur }) =>
        name.endsWith('RunTask') && pid === mark.pid && tid === mark.tid && dur !== undefined,
    );
    return tasks.map(({ start, duration }) => {
      const middle = mark.ts + (start + duration / 2 - markedAt) * 1000;
      const task = run.find(({ ts, dur }) => ts <= middle && middle <= ts + dur!);
      return { ms: duration, cpuMs: task?.tdur === undefined ? duration : task.tdur / 1000 };
    });
  }
}

/** Longer, and a person notices that nothing moves. */
const LONGEST_TASK_MS = 100;

export function assertShort(tasks: readonly FrameTask[]): void {
  const longest = Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs));
  const onTheClock = Math.max(0, ...tasks.map(({ ms }) => ms));
  const facts = `${longest.toFixed(0)} ms of a processor at its longest, ${onTheClock.toFixed(0)} ms on the clock`;
  console.log(`      ${tasks.length} tasks of more than 50 ms; ${facts}`);
  assert.ok(longest <= LONGEST_TASK_MS, facts);
}
